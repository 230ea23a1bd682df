package walk

import (
	"strings"
	"unicode/utf16"

	"github.com/navseam/navseam/seam"
)

// text is a source text in the making, which notes where names stand.
type text struct {
	file        string // path, with slashes and the extension
	lines       []string
	occurrences []occurrence
}

type role byte

const (
	declaration role = 'd'
	call        role = 'c'
	mention     role = 'm' // an import, or a base
	implementer role = 'i' // the name of a type that implements the one that is noted
)

type occurrence struct {
	name string // of the library
	role role
	at   seam.Range
}

// line adds a line. A name in it is written <<role:name>>, and <<i:name:shown>> where another
// one stands.
func (t *text) line(format string) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "<<")
		b.WriteString(before)
		if !ok {
			break
		}
		var marked string
		marked, format, _ = strings.Cut(rest, ">>")
		parts := strings.Split(marked, ":")
		start := t.here(b.String())
		b.WriteString(parts[len(parts)-1])
		t.occurrences = append(t.occurrences, occurrence{parts[1], role(parts[0][0]), seam.Range{Start: start, End: t.here(b.String())}})
	}
	t.lines = append(t.lines, b.String())
}

// here is the position behind what a line has so far.
func (t *text) here(line string) seam.Position {
	return seam.Position{Line: len(t.lines), Character: len(utf16.Encode([]rune(line)))}
}

func (t *text) String() string { return strings.Join(t.lines, "\n") + "\n" }
