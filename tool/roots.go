package tool

import (
	"context"
	"path/filepath"
	"strings"
)

// rootOf chooses the workspace that a file is asked about in.
func (s *state) rootOf(ctx context.Context, roots []string, file string) string {
	if len(roots) == 1 {
		return roots[0]
	}
	if filepath.IsAbs(file) {
		return s.deepest(ctx, roots, file)
	}
	for _, root := range roots {
		if _, ok := s.finds(ctx, root, file); ok {
			return root
		}
	}
	return roots[0]
}

// deepest is the deepest root that contains a file: by its name, or where that says nothing
// by where the links in it lead.
func (s *state) deepest(ctx context.Context, roots []string, file string) string {
	best, length := "", -1
	for _, root := range roots {
		if contains(root, file) && len(filepath.Clean(root)) > length {
			best, length = root, len(filepath.Clean(root))
		}
	}
	if length >= 0 {
		return best
	}
	best = roots[0]
	for _, root := range roots {
		if real, ok := s.finds(ctx, root, file); ok && len(real) > length {
			best, length = root, len(real)
		}
	}
	return best
}

func contains(root, file string) bool {
	name, err := filepath.Rel(root, file)
	return err == nil && name != ".." && !strings.HasPrefix(name, ".."+string(filepath.Separator))
}

// finds reports whether a root has a file, and the real path of that root.
func (s *state) finds(ctx context.Context, root, file string) (string, bool) {
	view, release, err := s.views.use(ctx, root)
	if err != nil {
		return "", false
	}
	defer release()
	found, err := view.snippets.Find(ctx, file)
	return view.snippets.Root().Path(), err == nil && found.Name != ""
}
