package sandbox

import (
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// records are the locations of an answer as they come in: small, so that ten thousand of
// them cost little, and in an order that shows that none comes twice.
type records struct {
	all       []record
	unordered map[record]struct{} // once they do not come in order: what is in all

	numbers map[string]uint32 // of URIs, by path
	byURI   map[string]uint32
	uris    []string // by number

	bytes int
	full  bool // what comes now is dropped
}

// record is a location, its URI by number.
type record struct {
	uri                                              uint32
	startLine, startCharacter, endLine, endCharacter uint32
}

// locationBytes is what a location counts beside its URI.
const locationBytes = 16

// after reports whether r comes after o in the order in which most modules hand over: file
// by file, and down each. A file that has not been seen has a higher number.
func (r record) after(o record) bool {
	switch {
	case r.uri != o.uri:
		return r.uri > o.uri
	case r.startLine != o.startLine:
		return r.startLine > o.startLine
	case r.startCharacter != o.startCharacter:
		return r.startCharacter > o.startCharacter
	case r.endLine != o.endLine:
		return r.endLine > o.endLine
	default:
		return r.endCharacter > o.endCharacter
	}
}

// valid reports whether the coordinates are some, and the end is not before the start.
func (r record) valid() bool {
	const tooLarge = seam.MaxCoordinate + 1
	if (r.startLine|r.startCharacter|r.endLine|r.endCharacter)&tooLarge != 0 {
		return false
	}
	return r.endLine > r.startLine || r.endLine == r.startLine && r.endCharacter >= r.startCharacter
}

func (r record) span() seam.Range {
	return seam.Range{
		Start: seam.Position{Line: int(r.startLine), Character: int(r.startCharacter)},
		End:   seam.Position{Line: int(r.endLine), Character: int(r.endCharacter)},
	}
}

// add takes a location, unless it came in before.
func (a *records) add(l *Limits, r record) {
	if a.full || a.repeats(r) {
		return
	}
	size := len(a.uris[r.uri]) + locationBytes
	if len(a.all) >= l.Locations || a.bytes+size > l.ResponseBytes {
		a.full = true
		return
	}
	a.bytes += size
	a.all = append(a.all, r)
}

// repeats reports whether a location came in before. While they come in order there is
// nothing to look up.
func (a *records) repeats(r record) bool {
	if a.unordered == nil {
		if n := len(a.all); n == 0 || r.after(a.all[n-1]) {
			return false
		}
		a.unordered = make(map[record]struct{}, 2*len(a.all))
		for _, earlier := range a.all {
			a.unordered[earlier] = struct{}{}
		}
	}
	if _, twice := a.unordered[r]; twice {
		return true
	}
	a.unordered[r] = struct{}{}
	return false
}

// locations are those that came in.
func (a *records) locations() []seam.Location {
	if len(a.all) == 0 {
		return nil
	}
	items := make([]seam.Location, len(a.all))
	for i, r := range a.all {
		items[i] = seam.Location{URI: a.uris[r.uri], Range: r.span()}
	}
	return items
}

// maxPathBytes is the longest path of a location that is kept.
const maxPathBytes = 16 << 10

// number returns the number of the URI that a location's path means, and what is wrong
// with the path. One that is too long is dropped like locations beyond the limits.
func (a *records) number(g *guest, l *Limits, path []byte) (n uint32, problem string, err error) {
	if len(path) > maxPathBytes || len(path)+locationBytes > l.ResponseBytes-a.bytes {
		a.full = true
		return 0, "", nil
	}
	n, known := a.numbers[string(path)]
	if known {
		return n, "", nil
	}
	if !utf8.Valid(path) {
		return 0, "", breachf("locations", "the path %q is not UTF-8", head(path))
	}
	uri, problem := g.locate(string(path))
	if _, spelt := a.byURI[uri]; spelt {
		a.bytes += len(path) // another spelling is kept too, and must not be had for nothing
	}
	n = a.numberOf(uri)
	if a.numbers == nil {
		a.numbers = map[string]uint32{}
	}
	a.numbers[string(path)] = n
	return n, problem, nil
}

// numberOf numbers a URI, which several paths may mean.
func (a *records) numberOf(uri string) uint32 {
	if a.byURI == nil {
		a.byURI = map[string]uint32{}
	}
	n, known := a.byURI[uri]
	if !known {
		n = uint32(len(a.uris))
		a.uris = append(a.uris, uri)
		a.byURI[uri] = n
	}
	return n
}
