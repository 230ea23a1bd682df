package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository is an empty repository of git, which knows nothing of the user's.
type repository struct {
	t    *testing.T
	root string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: it is what the answers are compared with")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	r := repository{t, root}
	r.git("", "init", "-q")
	return r
}

func (r repository) git(stdin string, args ...string) string {
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.root
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+r.root, "XDG_CONFIG_HOME="+r.root)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && args[0] == "check-ignore" && exit.ExitCode() == 1 {
		err = nil // none is ignored
	}
	require.NoError(r.t, err)
	return string(out)
}

func (r repository) write(files map[string]string) {
	for name, text := range files {
		path := filepath.Join(r.root, filepath.FromSlash(name))
		require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(r.t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// ignored is what git says.
func (r repository) ignored(names []string) map[string]bool {
	out := r.git(strings.Join(names, "\x00")+"\x00", "check-ignore", "--no-index", "--stdin", "-z")
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(out, "\x00") {
		ignored[name] = true
	}
	return ignored
}

// agrees compares what is said of each file.
func (r repository) agrees(names []string) {
	r.t.Helper()
	want := r.ignored(names)
	for batch := range slices.Chunk(names, 100) { // one call reads only so many ignore files
		for i, ignored := range Ignored(r.root, batch) {
			require.Equal(r.t, want[batch[i]], ignored, "%s%s", batch[i], r.fileOf(batch[i]))
		}
	}
}

// fileOf is the ignore file that the top folder of a name has.
func (r repository) fileOf(name string) string {
	top, _, _ := strings.Cut(name, "/")
	text, _ := os.ReadFile(filepath.Join(r.root, top, ".gitignore"))
	return fmt.Sprintf(" under %q", text)
}

// tried are paths that patterns may be about.
var tried = []string{
	"a", "b", "ab", "a.go", "b.go", "A", "a/b", "a/b/c", "a/c", "b/a", "b/a/a", "c/b/a", "abc/a", "a b", "a ", "#a", "!a", "[", "a]",
	"-", "é", "a\\b", "build/a.o", "build/x/a.o", "x/build/a.o", "src/a.go", "src/build/a", ".a", ".a/b", "a*", "a?", "1", "_", "a-", "z/z/z/a",
}

// Every pattern is a folder of its own, so that git is run once.
func (r repository) agreesOnPatterns(texts []string) {
	r.t.Helper()
	var names []string
	files := map[string]string{}
	for i, text := range texts {
		dir := fmt.Sprintf("p%d/", i)
		files[dir+".gitignore"] = text
		taken := map[string]bool{} // folders, in which there are files
		for _, name := range tried {
			for folder := filepath.Dir(name); folder != "."; folder = filepath.Dir(folder) {
				taken[folder] = true
			}
		}
		for _, name := range tried {
			if taken[name] {
				name += "/in"
			}
			files[dir+name] = ""
			names = append(names, dir+name)
		}
	}
	r.write(files)
	r.agrees(names)
}

func TestPatternsAgreeWithGit(t *testing.T) {
	r := newRepository(t)
	r.agreesOnPatterns([]string{
		"", "#a", "\\#a", "!a", "\\!a", "a", "a\n!a", "a/\n!a/b", "/a", "a/", "/a/", "a/b", "/a/b", "b/a", "*/a", "**/a", "**/a/b", "a/**", "a/**/c", "/**",
		"**", "*", "*\n!*.go", "*\n!*/\n!a.go", "*.go", "*.o", "build", "build/", "build/*", "build/**", "build/*\n!build/a.o", "/build", "x/build", "**/build",
		"**/build/**", "a?", "?", "??", "a*", "a**", "**a", "a**b", "a**/b", "a**/c", "***", "***/a", "a/***", "[a]", "[ab]", "[!a]", "[^a]", "[a-c]", "[a-", "[", "[]",
		"[]]", "[]a]", "[!]a]", "a[]]", "[[:alpha:]]", "[![:alpha:]]", "[[:digit:]]", "[[:nope:]]", "[[:alpha]", "[[:alpha:]", "[a-a]", "[z-a]", "[\\]]", "[\\", "[a\\-z]", "[-a]", "[a-]", "[--a]",
		"a\\", "\\a", "\\\\", "a\\\\b", "a\\b", "a ", "a\\ ", "a  ", "a\\  ", "a\\ \\ ", " a", "a\t", "a\r", "a\r\nb", "\ufeffa", "a//", "//a", "a//b", "/", "//", "!", "!/", "é", "?b", "???",
		"a*/b", "*/b", "*/*/a", "*/**/a", "**/*/a", "**/**/a", "z/**/a", "z/**/z/a", "**/z/**", "a\\*", "a\\?", "\\[", "_", "[[:punct:]]", "[[:space:]]a", "a[[:space:]]b", "a[^b]b",
		"src/**/build", "src/*", "!src/a.go", "src\n!src/a.go", "src/*\n!src/a.go", "*.go\n!/a.go", "/*\n!/a\n/a/*\n!/a/b", ".*", ".a", "./a", "../a", "a/.", "c/**/**/a", "**/b/**/a", "foo", "a\n\n\nb", "\n",
	})
}

// Patterns that nobody would write.
func TestRandomPatternsAgreeWithGit(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes thousands of files")
	}
	r := newRepository(t)
	random := rand.New(rand.NewPCG(1, 2)) // the same ones at every run
	pieces := []string{"a", "b", "c", "*", "**", "?", "/", "/", "[ab]", "[!a]", "\\a", "build", ".", "z", " ", "!", "\n", "**/", "/**"}
	texts := make([]string, 100)
	for i := range texts {
		for range 1 + random.IntN(7) {
			texts[i] += pieces[random.IntN(len(pieces))]
		}
	}
	r.agreesOnPatterns(texts)
}

func TestFilesAgreeWithGit(t *testing.T) {
	r := newRepository(t)
	r.write(map[string]string{
		".gitignore": "*.log\n/dist\nnode_modules/\n!keep.log\n", ".git/info/exclude": "local.txt\n*.tmp\n!special.tmp\n",
		"sub/.gitignore": "!*.log\nsecret\n*.tmp\n", "sub/deep/.gitignore": "*.log\n!secret\n", "dist/.gitignore": "!*\n", "dist/x": "", "a.log": "", "keep.log": "",
		"sub/a.log": "", "sub/deep/a.log": "", "sub/deep/secret": "", "sub/secret": "", "local.txt": "", "sub/local.txt": "", "a.tmp": "", "special.tmp": "",
		"sub/special.tmp": "", "node_modules/x/index.js": "", "sub/node_modules/y.js": "", "sub/dist/x": "", "notes/node_modules": "", "ü/a.log": "", "ü/b": "",
	})
	var names []string
	require.NoError(t, filepath.WalkDir(r.root, func(path string, entry os.DirEntry, err error) error {
		if entry.IsDir() {
			if entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		name, err := filepath.Rel(r.root, path)
		names = append(names, filepath.ToSlash(name))
		return err
	}))
	names = append(names, "gone.log", "gone", "dist/gone", "sub/gone/a.log")
	r.agrees(names)
}
