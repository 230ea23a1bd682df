package tool

import (
	"cmp"
	"time"
)

// Config is what a deployment says of the tool. A number that is not positive has its
// default.
type Config struct {
	MaxLocations   int           // that are shown of an answer: 100
	MaxResultChars int           // of a text, in UTF-16 units: 16,000
	Timeout        time.Duration // of a call: a minute
	Snippets       bool          // whether a location shows its source line
	Format         Format        // "" is FormatLines
	SourceRoots    []string      // folders outside the workspace that may be read
	MaxSourceBytes int64         // of a source that is read: 4,000,000
}

// Format is how locations are written.
type Format string

// The formats. Lines has a line for each location, path:line:character: source. Grouped
// has a line for each file, and under it its places without their sources, which takes a
// third of the room.
const (
	FormatLines   Format = "lines"
	FormatGrouped Format = "grouped"
)

const (
	usualLocations   = 100
	usualResultChars = 16_000
	usualTimeout     = time.Minute
	usualSourceBytes = 4_000_000
)

// complete fills in what is left out.
func (c Config) complete() Config {
	c.MaxLocations = cmp.Or(max(c.MaxLocations, 0), usualLocations)
	c.MaxResultChars = cmp.Or(max(c.MaxResultChars, 0), usualResultChars)
	c.Timeout = cmp.Or(max(c.Timeout, 0), usualTimeout)
	c.Format = cmp.Or(c.Format, FormatLines)
	c.MaxSourceBytes = cmp.Or(max(c.MaxSourceBytes, 0), usualSourceBytes)
	return c
}
