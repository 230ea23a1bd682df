package tool

import (
	"context"
	"time"

	"github.com/navseam/navseam/internal/ignore"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// What is read for the sake of one answer, once there is one. Beyond it snippets, labels and
// explanations are left out: they are not worth to wait for.
const (
	readingTime  = 2 * time.Second
	snippetBytes = 64 << 20
)

// sources reads what an answer shows of the files that it leads to.
type sources struct {
	views  *views
	view   *view // nil: nothing can be read
	asked  source
	budget int
}

// source is the file that was asked about, where it has been read for its symbol.
type source struct {
	uri  string
	text *seam.Text // nil: it has not
}

// text is the text of a file, or nil where there is none to be had.
func (s *sources) text(ctx context.Context, file listedFile) *seam.Text {
	if file.inside && file.uri == s.asked.uri && s.asked.text != nil {
		return s.asked.text
	}
	if s.view == nil || s.budget <= 0 {
		return nil
	}
	path, err := workspace.PathOf(file.uri)
	if err != nil {
		return nil
	}
	read, err := s.view.snippets.Read(ctx, path)
	if err != nil {
		return nil
	}
	s.budget -= len(read.Text)
	return seam.NewText(read.Text)
}

// label marks the files that lie outside the workspace, and those that git ignores.
func (s *sources) label(ctx context.Context, files []listedFile) {
	var inside []int
	var names []string
	for i, file := range files {
		switch {
		case !file.file:
		case !file.inside:
			files[i].label = " [outside workspace]"
		default:
			inside = append(inside, i)
			names = append(names, file.name)
		}
	}
	if s.view == nil || len(names) == 0 {
		return
	}
	root := s.view.snippets.Root().Path()
	found := make(chan []bool, 1) // of work that may go on when nobody waits any more
	if s.views.files.Do(ctx, func() { found <- ignore.Ignored(root, names) }) != nil {
		return
	}
	for i, ignored := range <-found {
		if ignored {
			files[inside[i]].label = " [git-ignored]"
		}
	}
}

// allow lets later questions name symbols in the files outside that an answer showed.
func (s *sources) allow(ctx context.Context, files []listedFile) {
	var outside []string
	for _, file := range files {
		if file.file && !file.inside {
			outside = append(outside, file.uri)
		}
	}
	if s.view != nil && len(outside) > 0 {
		s.view.sources.Allow(ctx, s.view.sources.Root(), outside...)
	}
}
