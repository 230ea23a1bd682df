//go:build !wasip1

package wasmsdktest

import (
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

var absoluteURI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

func (c *call) checkAnswer(t testing.TB) {
	t.Helper()
	for _, l := range c.answer.Locations {
		if problem := badPath(l.Path); problem != "" {
			t.Errorf("location %q: %s", l.Path, problem)
		}
		if problem := badRange(l.Range); problem != "" {
			t.Errorf("location %q, range %v: %s", l.Path, l.Range, problem)
		}
	}
	if hover := c.answer.Hover; hover != nil {
		if !utf8.ValidString(hover.Contents) {
			t.Errorf("hover %q: the text is not UTF-8", hover.Contents)
		}
		if hover.Range != nil && badRange(*hover.Range) != "" {
			t.Errorf("hover, range %v: %s", *hover.Range, badRange(*hover.Range))
		}
	}
}

func badPath(name string) string {
	clean := path.Clean(name)
	switch {
	case !utf8.ValidString(name):
		return "the path is not UTF-8"
	case absoluteURI.MatchString(name):
		return ""
	case name == "" || strings.ContainsAny(name, "\x00\\"):
		return "a path is not empty and has no NUL or backslash"
	case path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "a path is relative to the workspace and stays in it, or is an absolute URI"
	default:
		return ""
	}
}

func badRange(r seam.Range) string {
	for _, p := range [...]seam.Position{r.Start, r.End} {
		if p.Line > seam.MaxCoordinate || p.Character > seam.MaxCoordinate {
			return "a coordinate is negative or larger than 2^31-1"
		}
	}
	if r.End.Before(r.Start) {
		return "the end is before the start"
	}
	return ""
}
