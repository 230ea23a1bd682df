package expect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Case is a question and its answer: locations, a hover, nothing, or an error's code.
type Case struct {
	Line      int // in the file, for messages
	Operation seam.Operation
	Place     string // FILE:LINE:COLUMN as written, one-based
	File      string
	Position  seam.Position

	Locations  []Location
	Hover      *string
	HoverRange *Location
	Nothing    bool
	Code       seam.Code
}

// Location is a range in a file of the workspace.
type Location struct {
	File  string
	Range seam.Range
}

// Parse reads a file of cases.
func Parse(text string) ([]Case, error) {
	var cases []Case
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var err error
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			var c Case
			c, err = parseQuestion(line)
			c.Line = i + 1
			cases = append(cases, c)
		case len(cases) == 0:
			err = fmt.Errorf("an answer without a question")
		default:
			err = cases[len(cases)-1].parseAnswer(line[1:])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	for _, c := range cases {
		if c.Locations == nil && c.Hover == nil && !c.Nothing && c.Code == "" {
			return nil, fmt.Errorf("line %d: a question without an answer", c.Line)
		}
	}
	return cases, nil
}

func parseQuestion(line string) (c Case, err error) {
	name, place, ok := strings.Cut(line, " ")
	if !ok {
		return c, fmt.Errorf("want OPERATION FILE:LINE:COLUMN, got %q", line)
	}
	if c.Operation, err = seam.ParseOperation(name); err != nil {
		return c, err
	}
	c.Place = strings.TrimSpace(place)
	file, position, ok := cutPosition(c.Place)
	if !ok {
		return c, fmt.Errorf("%q is no FILE:LINE:COLUMN", c.Place)
	}
	c.File, c.Position = file, position
	return c, nil
}

func (c *Case) parseAnswer(line string) error {
	if text, ok := strings.CutPrefix(line, "|"); ok {
		text = strings.TrimPrefix(text, " ")
		if c.Hover != nil {
			text = *c.Hover + "\n" + text
		}
		c.Hover = &text
		return nil
	}
	line, _, _ = strings.Cut(line, "#")
	line = strings.TrimSpace(line)
	switch {
	case line == "(none)":
		c.Nothing = true
	case strings.HasPrefix(line, "LSP_"):
		c.Code = seam.Code(line)
	case strings.HasPrefix(line, "="):
		location, err := parseLocation(strings.TrimSpace(line[1:]))
		c.HoverRange = &location
		return err
	default:
		location, err := parseLocation(line)
		c.Locations = append(c.Locations, location)
		return err
	}
	return nil
}

// parseLocation reads FILE:LINE:COLUMN-LINE:COLUMN, one-based, the end exclusive.
func parseLocation(text string) (Location, error) {
	i := strings.LastIndexByte(text, '-')
	if i < 0 {
		return Location{}, fmt.Errorf("%q is no FILE:LINE:COLUMN-LINE:COLUMN", text)
	}
	file, start, ok := cutPosition(text[:i])
	_, end, ok2 := cutPosition(":" + text[i+1:])
	if !ok || !ok2 {
		return Location{}, fmt.Errorf("%q is no FILE:LINE:COLUMN-LINE:COLUMN", text)
	}
	return Location{file, seam.Range{Start: start, End: end}}, nil
}

func cutPosition(text string) (file string, p seam.Position, ok bool) {
	rest, character, ok := cutNumber(text)
	if !ok {
		return "", p, false
	}
	file, line, ok := cutNumber(rest)
	if !ok {
		return "", p, false
	}
	p, err := seam.FromOneBased(line, character)
	return file, p, err == nil
}

func cutNumber(text string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil
}
