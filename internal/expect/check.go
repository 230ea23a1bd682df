package expect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Check compares an answer with the case. Locations are compared as a set; root is the
// canonical path of the workspace. It returns nil when they agree.
func (c Case) Check(root string, result seam.Result, err error) error {
	if err != nil || c.Code != "" {
		if code := seam.CodeOf(err); code != c.Code {
			return fmt.Errorf("want code %q, got %q: %v", c.Code, code, err)
		}
		return nil
	}
	switch answer := result.(type) {
	case seam.HoverResult:
		return c.checkHover(answer.Hover)
	case seam.Locations:
		return c.checkLocations(root, answer.Items)
	}
	return fmt.Errorf("no answer: %v", result)
}

func (c Case) checkHover(got *seam.Hover) error {
	switch {
	case c.Nothing && got == nil:
		return nil
	case got == nil || c.Hover == nil:
		return fmt.Errorf("want hover %v, got %+v", deref(c.Hover), got)
	case got.Contents != *c.Hover:
		return fmt.Errorf("want hover\n%s\ngot\n%s", *c.Hover, got.Contents)
	case c.HoverRange != nil && (got.Range == nil || *got.Range != c.HoverRange.Range):
		return fmt.Errorf("want hover range %v, got %v", c.HoverRange.Range, got.Range)
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

func (c Case) checkLocations(root string, items []seam.Location) error {
	got := make([]string, 0, len(items))
	for _, item := range items {
		got = append(got, describe(root, item))
	}
	want := make([]string, 0, len(c.Locations))
	for _, l := range c.Locations {
		want = append(want, l.File+" "+span(l.Range))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("want %d locations\n\t%s\ngot %d\n\t%s",
			len(want), strings.Join(want, "\n\t"), len(got), strings.Join(got, "\n\t"))
	}
	return nil
}

func describe(root string, l seam.Location) string {
	path, err := workspace.PathOf(l.URI)
	if err != nil {
		return l.URI + " " + span(l.Range)
	}
	if inside, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(inside) {
		path = filepath.ToSlash(inside)
	}
	return path + " " + span(l.Range)
}

func span(r seam.Range) string {
	sl, sc := r.Start.OneBased()
	el, ec := r.End.OneBased()
	return fmt.Sprintf("%d:%d-%d:%d", sl, sc, el, ec)
}
