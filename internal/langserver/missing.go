package langserver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// withoutMissing leaves out the places in files of the workspace that do not exist. Some servers keep an index on
// disk, and find in it what was deleted before they started; nothing makes them look. What else
// is old in it nobody knows, so that the rest is incomplete.
func (s *Server) withoutMissing(result seam.Result) seam.Result {
	found, ok := result.(seam.Locations)
	if !ok {
		return result
	}
	there := make(map[string]bool)
	var kept []seam.Location // once one is left out
	for i, item := range found.Items {
		exists, known := there[item.URI]
		if !known {
			exists = s.mayExist(item.URI)
			there[item.URI] = exists
		}
		switch {
		case !exists && kept == nil:
			kept = append(make([]seam.Location, 0, len(found.Items)), found.Items[:i]...)
		case exists && kept != nil:
			kept = append(kept, item)
		}
	}
	if kept == nil {
		return result
	}
	s.config.Log.Warn("places in files that do not exist left out of an answer",
		"server", s.config.ID, "count", len(found.Items)-len(kept))
	found.Items, found.Completeness = kept, seam.Incomplete
	return found
}

// mayExist reports whether a URI is of a file that is there, or of something else.
func (s *Server) mayExist(uri string) bool {
	path, err := workspace.PathOf(uri)
	if err != nil {
		return true
	}
	name, err := filepath.Rel(s.view.Root().Path(), path)
	if err != nil || !filepath.IsLocal(name) {
		return true
	}
	_, err = os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
