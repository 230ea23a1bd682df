package ignore

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// repositoryOf writes what is taken for a repository, and more files.
func repositoryOf(t *testing.T, files map[string]string) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	r.write(map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	r.write(files)
	return r
}

func (r repository) ignores(workspace, name string) bool {
	return Ignored(filepath.Join(r.root, filepath.FromSlash(workspace)), []string{name})[0]
}

// A workspace may be a part of a repository: what is said above it counts.
func TestWorkspaceInARepository(t *testing.T) {
	r := repositoryOf(t, map[string]string{".gitignore": "/ws/out\n*.log\n.*\n", "ws/.gitignore": "!a.log\n"})
	require.True(t, r.ignores("ws", "out/x"))
	require.False(t, r.ignores("ws", "ws/out/x"))
	require.True(t, r.ignores("ws", "b.log"))
	require.False(t, r.ignores("ws", "a.log"))
	require.True(t, r.ignores(".", "ws/out/x"))
	require.False(t, r.ignores("ws", "."))
}

// A worktree and a submodule have a file .git, and are tops.
func TestWorktree(t *testing.T) {
	r := repositoryOf(t, map[string]string{".gitignore": "*.log\n", "tree/.git": "gitdir: elsewhere\n", "tree/.gitignore": "/x\n"})
	require.True(t, r.ignores("tree", "x"))
	require.False(t, r.ignores("tree", "a.log"))
}

func TestNoRepository(t *testing.T) {
	r := repository{t, t.TempDir()}
	r.write(map[string]string{".gitignore": "*\n", ".git/config": "no HEAD beside it"})
	require.False(t, r.ignores(".", "a"))
	require.False(t, r.ignores("gone", "a"))
}

// What is no regular file, or is too large, says nothing, and nothing waits for it.
func TestIgnoreFilesThatAreNone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a permission here")
	}
	r := repositoryOf(t, map[string]string{"all": "*\n", "folder/.gitignore/x": "", "large/.gitignore": strings.Repeat("*\n", maxFileBytes)})
	require.NoError(t, os.Mkdir(filepath.Join(r.root, "linked"), 0o755))
	require.NoError(t, os.Symlink("../all", filepath.Join(r.root, "linked", ".gitignore")))
	require.NoError(t, os.Mkdir(filepath.Join(r.root, "device"), 0o755))
	require.NoError(t, os.Symlink(os.DevNull, filepath.Join(r.root, "device", ".gitignore")))
	for _, name := range []string{"linked/a", "device/a", "folder/a", "large/a"} {
		require.False(t, r.ignores(".", name), name)
	}
}

// No workspace makes an answer wait: what is too much is not looked at.
func TestBounds(t *testing.T) {
	r := repositoryOf(t, map[string]string{".gitignore": strings.Repeat("x\n", maxPatterns) + "late\n"})
	require.True(t, r.ignores(".", "x"))
	require.False(t, r.ignores(".", "late"), "a line beyond the bound")
	require.False(t, r.ignores(".", strings.Repeat("d/", maxDepth+1)+"x"), "too deep")

	m := open(r.root)
	defer m.close()
	m.work = maxWork
	require.False(t, m.ignored("x"))
}

// Stars do not multiply.
func FuzzGlob(f *testing.F) {
	f.Add("**/a*b*[!c-d]?\\*", "x/a/b")
	f.Add(strings.Repeat("*a", 50), strings.Repeat("a", 200)+"b")
	f.Add("[[:alpha:]-z]**/", "q")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		g, ok := compile(pattern)
		if !ok {
			return
		}
		require.LessOrEqual(t, len(g), 2*len(pattern))
		matched := g.match(text)
		if !strings.ContainsAny(pattern, special) {
			require.Equal(t, pattern == text, matched)
		}
	})
}

func BenchmarkIgnored(b *testing.B) {
	root := b.TempDir()
	for name, text := range map[string]string{".git/HEAD": "", ".gitignore": "node_modules/\n*.log\n/dist\nbuild/**/out\n", "a/b/c/x.go": ""} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if Ignored(root, []string{"a/b/c/x.go"})[0] {
			b.Fatal("it is not ignored")
		}
	}
}
