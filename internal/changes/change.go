package changes

import (
	"slices"
	"strings"
)

// Kind is what happened to a file.
type Kind uint8

// The kinds, with the numbers that the Language Server Protocol gives them.
const (
	Created Kind = iota + 1
	Changed
	Deleted
)

// Change is what happened to one file. A link to a file is a file, and changes with what it
// leads to.
type Change struct {
	Path string // absolute, below the real path of the folder
	Kind Kind
}

// summed makes the history of each file one change, ordered by path. A file that came and went
// is left out.
func summed(history []Change) []Change {
	type span struct{ first, last Kind }
	spans := make(map[string]span, len(history))
	for _, c := range history {
		s, known := spans[c.Path]
		if !known {
			s.first = c.Kind
		}
		s.last = c.Kind
		spans[c.Path] = s
	}
	sum := make([]Change, 0, len(spans))
	for path, s := range spans {
		kind := Changed
		switch {
		case s.first == Created && s.last == Deleted:
			continue
		case s.first == Created:
			kind = Created
		case s.last == Deleted:
			kind = Deleted
		}
		sum = append(sum, Change{path, kind})
	}
	slices.SortFunc(sum, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return sum
}
