package wasmsdk

import (
	"runtime"
	"slices"

	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
	"github.com/navseam/navseam/seam"
)

// Query is the place that a module is asked about.
type Query struct {
	// Path is relative to the workspace, with slashes, or an absolute file: URI for a
	// document that lies under the deployment's sourceRoots.
	Path     string
	Language string // its language id, from the deployment
	Position seam.Position
}

// Location is a range in a document: its Path is relative to the workspace, as in
// [Query], or an absolute URI of any scheme.
type Location struct {
	Path  string
	Range seam.Range
}

// Navigate answers goToDefinition, findReferences or goToImplementation with find, and
// returns the status of the call. What find returns beside an error is dropped.
func Navigate(find func(Query) ([]Location, error), line, character uint32) int32 {
	locations, err := find(query(line, character))
	if err == nil {
		handOver(locations)
	}
	return finish(err)
}

// Hover answers hover with describe, and returns the status of the call. A nil hover, or
// one without contents, is the answer that there is nothing to show.
func Hover(describe func(Query) (*seam.Hover, error), line, character uint32) int32 {
	hover, err := describe(query(line, character))
	if err == nil && hover != nil && hover.Contents != "" {
		hostcall.Hover(hover.Contents)
		if r := hover.Range; r != nil {
			hostcall.HoverRange(coordinate(r.Start.Line), coordinate(r.Start.Character),
				coordinate(r.End.Line), coordinate(r.End.Character))
		}
	}
	return finish(err)
}

// Load answers the export load, which runs once in each instance before its first query:
// the place to read the config and to load an index. An [Unavailable] is tried again later.
func Load(load func() error) int32 { return finish(load()) }

// Incomplete says that the answer may be partial, or older than the disk.
func Incomplete() { hostcall.Incomplete() }

func query(line, character uint32) Query {
	return Query{
		Path:     instance.path.ask(hostcall.Path),
		Language: instance.language.ask(hostcall.Language),
		Position: seam.Position{Line: int(line), Character: int(character)},
	}
}

// finish gives the status, and the collector and other goroutines their turn: they run in
// an instance only while one of its exports does, and nothing interrupts a goroutine.
func finish(err error) int32 {
	status, message := outcome(err)
	if message != "" {
		hostcall.Message(message)
	}
	runtime.Gosched()
	return int32(status)
}

// instance is what is kept from call to call. An instance serves one call at a time.
var instance struct {
	path, language remembered
	records        []hostcall.Record
}

// batch is how many locations are handed over at once.
const batch = 4096

func handOver(locations []Location) {
	for len(locations) > 0 {
		n := min(batch, len(locations))
		handOverBatch(locations[:n])
		locations = locations[n:]
	}
}

// handOverBatch does not copy the paths: the records point at them, and Go moves nothing that is
// in use. There is no branch and no call for a location, for each costs a check of the deadline.
func handOverBatch(locations []Location) {
	records := slices.Grow(instance.records[:0], len(locations))[:len(locations)]
	for i := range locations {
		l := &locations[i]
		records[i] = hostcall.Record{
			hostcall.Address(l.Path), uint32(len(l.Path)),
			coordinate(l.Range.Start.Line), coordinate(l.Range.Start.Character),
			coordinate(l.Range.End.Line), coordinate(l.Range.End.Character),
		}
	}
	hostcall.Locations(records)
	runtime.KeepAlive(locations)
	instance.records = records
}

// coordinate keeps what does not fit from turning into something that does: below 0 and above the
// largest coordinate it is a value that the host refuses, all bits set.
func coordinate(n int) uint32 {
	wide := int64(n)
	wrong := (wide | (seam.MaxCoordinate - wide)) >> 63
	return uint32(wide | wrong)
}
