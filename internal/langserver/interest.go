package langserver

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/navseam/navseam/internal/changes"
	"github.com/navseam/navseam/internal/workspace"
)

// wants reports whether a change matters to the server: the file is one that it is asked about,
// the deployment names it in freshness.watch, or the server registered for it. All three, since
// servers heed what they did not register for, and few register for all that they need.
func (s *Server) wants(c changes.Change) bool {
	rel := s.relative(c.Path)
	if c.Folder { // some servers keep lists of what is in a folder; they register for it
		return s.watchesFolder(c.Kind, rel, filepath.ToSlash(c.Path))
	}
	if _, ok := s.config.Freshness.Language(c.Path); ok {
		return true
	}
	freshness := &s.config.Freshness
	return matchesAny(freshness.Watch, rel) || matchesAny(freshness.RestartOn, rel) ||
		s.registrations.watches(c.Kind, rel, filepath.ToSlash(c.Path))
}

// watchesFolder reports whether the server wants to know of a folder. One that became another
// is told as gone and made.
func (s *Server) watchesFolder(kind changes.Kind, rel, abs string) bool {
	if kind == changes.Changed {
		return s.registrations.watches(changes.Deleted, rel, abs) || s.registrations.watches(changes.Created, rel, abs)
	}
	return s.registrations.watches(kind, rel, abs)
}

// relative is a path as patterns see it: from the folder where the server works, with slashes.
func (s *Server) relative(path string) string {
	if rel, err := filepath.Rel(s.root.Path(), path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

func matchesAny(patterns []string, rel string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matchesName(pattern, rel) })
}

// matchesName takes a pattern of the configuration. One without a slash is of a name in any folder.
func matchesName(pattern, rel string) bool {
	if !strings.Contains(pattern, "/") {
		rel = rel[strings.LastIndexByte(rel, '/')+1:]
	}
	return doublestar.MatchUnvalidated(pattern, rel)
}

// watcher is what a server registered for: FileSystemWatcher of the protocol.
type watcher struct {
	base    string // absolute, with slashes, of a relative pattern; else empty
	pattern string
	kinds   uint8 // bits 1, 2, 4: created, changed, deleted
}

const allKinds = 1 | 2 | 4

// maxPattern is the longest pattern of a server that is matched, in bytes.
const maxPattern = 4096

// parseWatchers reads the options of a registration. What can't be read watches nothing.
func parseWatchers(options json.RawMessage, most int) []watcher {
	var o struct {
		Watchers []struct {
			GlobPattern json.RawMessage `json:"globPattern"`
			Kind        *uint8          `json:"kind"`
		} `json:"watchers"`
	}
	_ = json.Unmarshal(options, &o)
	var watchers []watcher
	for _, said := range o.Watchers {
		w := watcher{kinds: allKinds}
		if said.Kind != nil {
			w.kinds = *said.Kind
		}
		if json.Unmarshal(said.GlobPattern, &w.pattern) != nil {
			w.base, w.pattern = parseRelative(said.GlobPattern)
		}
		if w.pattern != "" && len(w.pattern) <= maxPattern && len(watchers) < most {
			watchers = append(watchers, w)
		}
	}
	return watchers
}

// parseRelative reads a RelativePattern, whose base is a URI or a workspace folder.
func parseRelative(raw json.RawMessage) (base, pattern string) {
	var relative struct {
		BaseURI json.RawMessage `json:"baseUri"`
		Pattern string          `json:"pattern"`
	}
	if json.Unmarshal(raw, &relative) != nil {
		return "", ""
	}
	var uri string
	if json.Unmarshal(relative.BaseURI, &uri) != nil {
		var folder workspaceFolder
		_ = json.Unmarshal(relative.BaseURI, &folder)
		uri = folder.URI
	}
	path, err := workspace.PathOf(uri)
	if err != nil {
		return "", ""
	}
	return strings.TrimSuffix(filepath.ToSlash(path), "/"), relative.Pattern
}

// matches takes a path relative to the folder that the server works in, and the same path whole:
// servers write patterns of both kinds.
func (w watcher) matches(kind changes.Kind, rel, abs string) bool {
	if w.kinds&(1<<(kind-1)) == 0 {
		return false
	}
	if w.base == "" {
		return doublestar.MatchUnvalidated(w.pattern, rel) || doublestar.MatchUnvalidated(w.pattern, abs)
	}
	below, ok := strings.CutPrefix(abs, w.base+"/")
	return ok && doublestar.MatchUnvalidated(w.pattern, below)
}
