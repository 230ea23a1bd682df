package langserver

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/navseam/navseam/seam"
)

// location is either shape of an answer to a navigation request: a Location, or a
// LocationLink, which is tried first. Pointers tell what is absent or null from zero.
type location struct {
	TargetURI            *string `json:"targetUri"`
	TargetSelectionRange *span   `json:"targetSelectionRange"`
	URI                  *string `json:"uri"`
	Range                *span   `json:"range"`
}

type span struct {
	Start *point `json:"start"`
	End   *point `json:"end"`
}

type point struct {
	Line      *float64 `json:"line"` // JSON has no integers: 1.0 is one
	Character *float64 `json:"character"`
}

// parseLocations turns an answer into locations: in order, each once. Elements that are
// neither shape are left out and counted; it fails when there are only such.
func parseLocations(raw json.RawMessage) (items []seam.Location, dropped int, err error) {
	if absent(raw) {
		return nil, 0, nil
	}
	elements, dropped, err := decodeLocations(raw)
	if err != nil {
		return nil, 0, err
	}
	items = make([]seam.Location, 0, len(elements))
	seen := make(map[seam.Location]struct{}, len(elements))
	for _, element := range elements {
		item, ok := element.normalize()
		if !ok {
			dropped++
			continue
		}
		if _, twice := seen[item]; !twice {
			seen[item] = struct{}{}
			items = append(items, item)
		}
	}
	if len(items) == 0 && dropped > 0 {
		return nil, 0, errors.New("nothing in it is a Location or LocationLink")
	}
	return items, dropped, nil
}

// decodeLocations decodes all at once, and one by one only when some are unusable.
func decodeLocations(raw json.RawMessage) (elements []location, dropped int, err error) {
	switch first := bytes.TrimLeft(raw, " \t\r\n"); {
	case len(first) > 0 && first[0] == '{':
		elements = make([]location, 1)
		if json.Unmarshal(raw, &elements[0]) != nil {
			return nil, 1, nil
		}
		return elements, 0, nil
	case len(first) == 0 || first[0] != '[':
		return nil, 0, errors.New("it is no object, list or null")
	}
	if json.Unmarshal(raw, &elements) == nil {
		return elements, 0, nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, 0, err
	}
	elements = elements[:0]
	for _, part := range parts {
		var element location
		if json.Unmarshal(part, &element) != nil {
			dropped++
			continue
		}
		elements = append(elements, element)
	}
	return elements, dropped, nil
}

func (l location) normalize() (seam.Location, bool) {
	if r, ok := l.TargetSelectionRange.normalize(); ok && l.TargetURI != nil {
		return seam.Location{URI: *l.TargetURI, Range: r}, *l.TargetURI != ""
	}
	r, ok := l.Range.normalize()
	if !ok || l.URI == nil || *l.URI == "" {
		return seam.Location{}, false
	}
	return seam.Location{URI: *l.URI, Range: r}, true
}

func (s *span) normalize() (seam.Range, bool) {
	if s == nil {
		return seam.Range{}, false
	}
	start, ok := s.Start.normalize()
	end, ok2 := s.End.normalize()
	if !ok || !ok2 || end.Before(start) {
		return seam.Range{}, false
	}
	return seam.Range{Start: start, End: end}, true
}

func (p *point) normalize() (seam.Position, bool) {
	if p == nil {
		return seam.Position{}, false
	}
	line, ok := coordinate(p.Line)
	character, ok2 := coordinate(p.Character)
	return seam.Position{Line: line, Character: character}, ok && ok2
}

func coordinate(n *float64) (int, bool) {
	if n == nil || *n < 0 || *n > seam.MaxCoordinate || *n != float64(int(*n)) {
		return 0, false
	}
	return int(*n), true
}
