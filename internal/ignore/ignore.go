// Package ignore tells which paths of a workspace git ignores, so that an answer can say
// that it leads to one. It reads what git reads: the .gitignore of every folder from the top
// of the repository down, and .git/info/exclude. Git itself is not run.
//
// Two things are left out: the user's own excludes file, which is no part of the workspace,
// and the index, so that a file counts as ignored that was added all the same.
package ignore

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
)

// Ignored tells of each file whether it is ignored: their paths from the workspace, which is
// given by its real path, with slashes. It may take as long as the file system does.
func Ignored(workspace string, names []string) []bool {
	m := open(workspace)
	defer m.close()
	ignored := make([]bool, len(names))
	for i, name := range names {
		ignored[i] = m.ignored(name)
	}
	return ignored
}

// matcher judges paths by what the ignore files say. It reads each one at most once.
type matcher struct {
	top     *os.Root // of the repository; nil: there is none
	prefix  string   // of the workspace in it, with a slash at its end where it is not the top
	files   map[string][]pattern
	folders map[string]bool // those that were judged
	work    int             // matches that were tried
}

// What is done for one call at most. Beyond it nothing counts as ignored.
const (
	maxFileBytes = 256 << 10
	maxFiles     = 2_000
	maxDepth     = 100
	maxWork      = 1_000_000
)

// open makes a matcher for a workspace. One that is in no repository has one too.
func open(workspace string) *matcher {
	m := &matcher{files: map[string][]pattern{}, folders: map[string]bool{}}
	for dir := workspace; ; dir = filepath.Dir(dir) {
		if isTop(dir) {
			m.begin(dir, workspace)
			return m
		}
		if dir == filepath.Dir(dir) {
			return m
		}
	}
}

// isTop reports whether a folder is the top of a repository: it has a folder .git, or a file
// where it is a worktree or a submodule.
func isTop(dir string) bool {
	git := filepath.Join(dir, ".git")
	info, err := os.Lstat(git)
	if err != nil || info.Mode().IsRegular() {
		return err == nil
	}
	_, err = os.Stat(filepath.Join(git, "HEAD")) // git goes on where that is missing
	return err == nil
}

func (m *matcher) begin(top, workspace string) {
	prefix, err := filepath.Rel(top, workspace)
	if err != nil {
		return
	}
	if m.top, err = os.OpenRoot(top); err != nil {
		m.top = nil
		return
	}
	if prefix != "." {
		m.prefix = filepath.ToSlash(prefix) + "/"
	}
}

func (m *matcher) close() {
	if m.top != nil {
		_ = m.top.Close() // nothing was written
	}
}

func (m *matcher) ignored(name string) bool {
	if m.top == nil {
		return false
	}
	if name = path.Clean(name); name == "." {
		return false // the workspace itself
	}
	if name = m.prefix + name; strings.Count(name, "/") > maxDepth {
		return false
	}
	return m.inIgnored(path.Dir(name)) || m.judge(name, false)
}

// inIgnored reports whether a folder, or one that it lies in, is ignored: then so is all in
// it, whatever is said of that.
func (m *matcher) inIgnored(folder string) bool {
	if folder == "." {
		return false
	}
	ignored, known := m.folders[folder]
	if !known {
		ignored = m.inIgnored(path.Dir(folder)) || m.judge(folder, true)
		m.folders[folder] = ignored
	}
	return ignored
}

// judge looks for the last line that is about a path, in the files nearest to it first.
func (m *matcher) judge(name string, folder bool) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		below := strings.TrimPrefix(name, dir+"/") // of ".", all of it
		if p := m.last(path.Join(dir, ".gitignore"), below, folder); p != nil {
			return !p.negated
		}
		if dir == "." {
			break
		}
	}
	p := m.last(".git/info/exclude", name, folder)
	return p != nil && !p.negated
}

// last is the last line of an ignore file that is about a path.
func (m *matcher) last(file, name string, folder bool) *pattern {
	patterns, known := m.files[file]
	if !known && len(m.files) < maxFiles {
		patterns = parse(m.read(file))
		m.files[file] = patterns
	}
	for i := len(patterns) - 1; i >= 0; i-- {
		if m.work++; m.work > maxWork {
			return nil
		}
		if patterns[i].matches(name, folder) {
			return &patterns[i]
		}
	}
	return nil
}

// read gives the text of an ignore file. Git does not follow a link to one either.
func (m *matcher) read(name string) string {
	file, err := workspace.OpenRegular(m.top, filepath.FromSlash(name))
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil || len(text) > maxFileBytes {
		return ""
	}
	return string(text)
}
