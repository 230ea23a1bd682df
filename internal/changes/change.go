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

// Change is what happened to one file or folder. A link to a file is a file, and changes with
// what it leads to. A folder changes when it becomes another one of the same name.
type Change struct {
	Path   string // absolute, below the real path of the folder
	Kind   Kind
	Folder bool
}

// summed makes the history of each file one change, ordered by path, so that a folder comes
// before what is in it. A file that came and went is left out.
func summed(history []Change) []Change {
	type span struct{ first, last Kind }
	type subject struct {
		path   string
		folder bool
	}
	spans := make(map[subject]span, len(history))
	for _, c := range history {
		s, known := spans[subject{c.Path, c.Folder}]
		if !known {
			s.first = c.Kind
		}
		s.last = c.Kind
		spans[subject{c.Path, c.Folder}] = s
	}
	sum := make([]Change, 0, len(spans))
	for of, s := range spans {
		kind := Changed
		switch {
		case s.first == Created && s.last == Deleted:
			continue
		case s.first == Created:
			kind = Created
		case s.last == Deleted:
			kind = Deleted
		}
		sum = append(sum, Change{of.path, kind, of.folder})
	}
	slices.SortFunc(sum, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return sum
}
