package langserver

import (
	"bytes"
	"encoding/json"
	"errors"

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
		cursor: cursor{data: raw},
		seen:   make(map[seam.Location]struct{}, room),
		uris:   make(map[string]string),
		items:  make([]seam.Location, 0, room),
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
	seen    map[seam.Location]struct{}
	uris    map[string]string // many locations have few files
}

func (p *locationParser) element() {
	item, ok := p.location()
	if !ok {
		p.dropped++
		return
	}
	if _, twice := p.seen[item]; !twice {
		p.seen[item] = struct{}{}
		p.items = append(p.items, item)
	}
}

// location reads either shape of an element: a LocationLink, which counts first, or a
// Location.
func (p *locationParser) location() (seam.Location, bool) {
	var link, plain seam.Location
	var linkURI, linkRange, plainURI, plainRange bool
	p.object(func(key []byte) {
		switch string(key) {
		case "targetUri":
			link.URI, linkURI = p.uri()
		case "targetSelectionRange":
			link.Range, linkRange = p.span()
		case "uri":
			plain.URI, plainURI = p.uri()
		case "range":
			plain.Range, plainRange = p.span()
		}
	})
	if linkURI && linkRange {
		return link, link.URI != ""
	}
	return plain, plainURI && plainRange && plain.URI != ""
}

func (p *locationParser) uri() (string, bool) {
	text, ok := p.text()
	if !ok {
		return "", false
	}
	known, found := p.uris[string(text)]
	if !found {
		known = string(text)
		p.uris[known] = known
	}
	return known, true
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
