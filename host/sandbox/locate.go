package sandbox

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
)

// What an instance remembers of paths.
const (
	maxLocated      = 1024
	maxLocatedBytes = 512 // of one path: longer ones are not remembered
)

// located is what came of a path.
type located struct{ uri, problem string }

// locate is that of the space, with a memory: modules hand over the same files again.
func (g *guest) locate(name string) (uri, problem string) {
	if known, ok := g.paths[name]; ok {
		return known.uri, known.problem
	}
	uri, problem = g.space.locate(name)
	if len(name) > maxLocatedBytes {
		return uri, problem
	}
	if g.paths == nil || len(g.paths) >= maxLocated {
		g.paths = map[string]located{}
	}
	g.paths[name] = located{uri, problem}
	return uri, problem
}

// locate makes a URI of a location's path, or says what is wrong with it.
func (s *space) locate(name string) (uri, problem string) {
	switch {
	case name == "":
		return "", "is empty"
	case strings.ContainsRune(name, 0):
		return "", "has a NUL character"
	case strings.ContainsRune(name, '\\'):
		return "", `has a \: write / between folders`
	case hasScheme(name):
		return s.foreign(name)
	case path.IsAbs(name), filepath.IsAbs(filepath.FromSlash(name)):
		return "", "is absolute: make it relative to the workspace"
	}
	clean := path.Clean(name)
	if clean == ".." || strings.HasPrefix(clean, "../") || !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", "leaves the workspace"
	}
	return workspace.FileURI(filepath.Join(s.root.Path, filepath.FromSlash(clean))), ""
}

// foreign judges an absolute URI: a file has to lie under a source root.
func (s *space) foreign(name string) (uri, problem string) {
	parsed, err := url.Parse(name)
	if err != nil {
		return "", "is no URI: " + err.Error()
	}
	if !strings.EqualFold(parsed.Scheme, "file") {
		return encoded(name), ""
	}
	file, err := workspace.PathOf(name)
	if err != nil {
		return "", "is no file: URI: " + err.Error()
	}
	for _, root := range s.provider.sourceRoots {
		if rel, err := filepath.Rel(root, filepath.Clean(file)); err == nil && filepath.IsLocal(rel) {
			return workspace.FileURI(filepath.Clean(file)), ""
		}
	}
	return "", "is a file: URI outside the deployment's sourceRoots: write the path relative to the workspace"
}

// encoded writes the characters that a URI may not have (RFC 3986, section 2) as percent and
// two digits, so that none of them can act on whoever shows it.
func encoded(uri string) string {
	const marks = "-._~:/?#[]@!$&'()*+,;=%"
	var b strings.Builder
	for _, c := range []byte(uri) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if letter || c >= '0' && c <= '9' || strings.IndexByte(marks, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// hasScheme reports whether a path is an absolute URI: a scheme and ://.
func hasScheme(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok || scheme == "" {
		return false
	}
	for i, c := range []byte(scheme) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		other := c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'
		if !letter && (i == 0 || !other) {
			return false
		}
	}
	return true
}
