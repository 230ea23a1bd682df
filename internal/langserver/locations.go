package langserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/navseam/navseam/seam"
)

// parseLocations turns an answer into locations: in order, each once. Elements that are
// neither shape are left out and counted; it fails when there are only such.
func parseLocations(raw json.RawMessage) (items []seam.Location, dropped int, err error) {
	if absent(bytes.TrimSpace(raw)) {
		return nil, 0, nil
	}
	room := roomFor(raw)
	p := locationParser{
		cursor:  cursor{data: raw},
		items:   make([]seam.Location, 0, room),
		numbers: make(map[string]int32),
	}
	switch p.next() {
	case '{':
		p.element()
	case '[':
		p.array(p.element)
	default:
		return nil, 0, errors.New("it is no object, list or null")
	}
	if len(p.items) == 0 && p.dropped > 0 {
		return nil, 0, errors.New("nothing in it is a Location or LocationLink")
	}
	return p.items, p.dropped, nil
}

// roomFor is how many locations an answer has, if they are plain and it is honest. To grow
// with them takes as long as to read them.
func roomFor(raw []byte) int {
	const brackets = 4 // of a location, its range, and the ends of that
	return min(bytes.Count(raw, []byte("{"))/brackets, 1<<15)
}

// locationParser collects the locations of one answer.
type locationParser struct {
	cursor
	items   []seam.Location
	dropped int
	last    place              // of items
	seen    map[place]struct{} // nil while they are in order
	files   []string           // the URIs: many locations have few files
	numbers map[string]int32   // where in files
	latest  int32              // file
}

// place is the number of the file, and the range: what tells locations apart, quick to compare
// and to hash, and nothing for the collector.
type place [5]int32

func placeOf(file int32, r seam.Range) place {
	return place{file, int32(r.Start.Line), int32(r.Start.Character), int32(r.End.Line), int32(r.End.Character)}
}

// twice reports whether there was that place before. Most answers go through one file after
// the other from top to bottom, and then nothing has to be remembered to know.
func (p *locationParser) twice(at place) bool {
	if p.seen == nil {
		if len(p.items) == 0 || slices.Compare(p.last[:], at[:]) < 0 {
			p.last = at
			return false
		}
		p.seen = make(map[place]struct{}, cap(p.items))
		for _, item := range p.items {
			p.seen[placeOf(p.numbers[item.URI], item.Range)] = struct{}{}
		}
	}
	if _, twice := p.seen[at]; twice {
		return true
	}
	p.seen[at] = struct{}{}
	return false
}

func (p *locationParser) element() {
	file, at, ok := p.location()
	if !ok || p.files[file] == "" {
		p.dropped++
		return
	}
	if !p.twice(placeOf(file, at)) {
		p.items = append(p.items, seam.Location{URI: p.files[file], Range: at})
	}
}

// location reads either shape of an element: a LocationLink, which counts first, or a
// Location.
func (p *locationParser) location() (file int32, at seam.Range, ok bool) {
	var linkFile, plainFile int32
	var link, plain seam.Range
	var linkURI, linkRange, plainURI, plainRange bool
	p.object(func(key []byte) {
		switch string(key) {
		case "targetUri":
			linkFile, linkURI = p.file()
		case "targetSelectionRange":
			link, linkRange = p.span()
		case "uri":
			plainFile, plainURI = p.file()
		case "range":
			plain, plainRange = p.span()
		}
	})
	if linkURI && linkRange {
		return linkFile, link, true
	}
	return plainFile, plain, plainURI && plainRange
}

// file reads a URI. Most are that of the location before.
func (p *locationParser) file() (number int32, ok bool) {
	uri, ok := p.text()
	if !ok || len(p.files) > 0 && string(uri) == p.files[p.latest] {
		return p.latest, ok
	}
	number, known := p.numbers[string(uri)]
	if !known {
		number = int32(len(p.files))
		p.files = append(p.files, string(uri))
		p.numbers[p.files[number]] = number
	}
	p.latest = number
	return number, true
}

// span reads a range whose end is not before its start. Extra members are left out.
func (c *cursor) span() (seam.Range, bool) {
	var r seam.Range
	var start, end bool
	c.object(func(key []byte) {
		switch string(key) {
		case "start":
			r.Start, start = c.position()
		case "end":
			r.End, end = c.position()
		}
	})
	return r, start && end && !r.End.Before(r.Start)
}

func (c *cursor) position() (seam.Position, bool) {
	var p seam.Position
	var line, character bool
	c.object(func(key []byte) {
		switch string(key) {
		case "line":
			p.Line, line = c.whole(seam.MaxCoordinate)
		case "character":
			p.Character, character = c.whole(seam.MaxCoordinate)
		}
	})
	return p, line && character
}
