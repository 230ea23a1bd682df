package tool

import (
	"path"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
)

// paths shows URIs as paths: relative to the workspace where they lie inside it. It knows
// the system that they are of by the URI of the workspace, and nothing of this machine.
type paths struct {
	root    string // with slashes and without one at its end
	known   bool   // without a root, a URI is shown as it is
	windows bool
}

// spot is where a URI leads.
type spot struct {
	name   string // with slashes; inside the workspace relative to it
	path   string // that name as it is shown, on one line
	inside bool   // of the workspace
	file   bool   // it is a name, and not the URI as it came
}

// newPaths takes the root for one of Windows when it is on a drive or a machine.
func newPaths(workspaceURI string) paths {
	root, err := workspace.PathAs(true, workspaceURI)
	p := paths{known: true, windows: err == nil}
	if !p.windows {
		root, err = workspace.PathAs(false, workspaceURI)
		p.known = err == nil
	}
	p.root = strings.TrimRight(p.slashed(root), "/")
	return p
}

func (p paths) of(uri string) spot {
	file, ok := p.file(uri)
	if !p.known || !ok {
		return spot{name: uri, path: escapeLine(uri)}
	}
	name, inside := p.relative(tidy(file))
	return spot{name, escapeLine(name), inside, true}
}

// file is the path of a file: URI, with slashes. Under a workspace of Windows there may be
// one of another system too; a backslash is a separator then, and in no name.
func (p paths) file(uri string) (string, bool) {
	if p.windows {
		if file, err := workspace.PathAs(true, uri); err == nil {
			return p.slashed(file), true
		}
	}
	file, err := workspace.PathAs(false, uri)
	return file, err == nil && !(p.windows && strings.Contains(file, `\`))
}

func (p paths) relative(file string) (string, bool) {
	if len(file) < len(p.root) || !p.same(file[:len(p.root)], p.root) {
		return file, false
	}
	switch rest := file[len(p.root):]; {
	case rest == "", rest == "/":
		return ".", true
	case rest[0] == '/':
		return rest[1:], true
	default: // a longer name
		return file, false
	}
}

func (p paths) same(a, b string) bool {
	if p.windows {
		return strings.EqualFold(a, b)
	}
	return a == b
}

func (p paths) slashed(file string) string {
	if p.windows {
		return strings.ReplaceAll(file, `\`, "/")
	}
	return file
}

// tidy resolves "." and ".." where they are a whole segment, so that nothing seems to be
// inside that is not.
func tidy(file string) string {
	if !strings.Contains(file, "/.") {
		return file
	}
	clean := path.Clean(file)
	if strings.HasPrefix(file, "//") { // a machine
		return "/" + clean
	}
	return clean
}
