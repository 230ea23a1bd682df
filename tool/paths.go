package tool

import (
	"os"
	"runtime"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
)

// paths shows URIs as paths: relative to the workspace where they lie inside it.
type paths struct {
	root  string // without a separator at its end
	known bool   // without a root, nothing is relative
}

func newPaths(workspaceURI string) paths {
	root, err := workspace.PathOf(workspaceURI)
	return paths{strings.TrimRight(root, string(os.PathSeparator)), err == nil}
}

// of is the path of a file: URI, on one line and with slashes. Anything else is shown as
// it is.
func (p paths) of(uri string) string {
	path, err := workspace.PathOf(uri)
	if err != nil {
		return escapeLine(uri)
	}
	return escapeLine(slashed(p.relative(path)))
}

func (p paths) relative(path string) string {
	if !p.known || len(path) < len(p.root) || !samePath(path[:len(p.root)], p.root) {
		return path
	}
	switch rest := path[len(p.root):]; {
	case rest == "" || rest == string(os.PathSeparator):
		return "."
	case os.IsPathSeparator(rest[0]):
		return rest[1:]
	default: // a longer name
		return path
	}
}

func samePath(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// slashed has no effect where a backslash is an ordinary character.
func slashed(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}
