// Package realserver prepares what tests need to ask real language servers: a copy of a
// workspace of testdata/servers, its configuration, and the questions with their answers.
package realserver

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/navseam/navseam/internal/expect"
)

// Fixture is a real server with a workspace of its own.
type Fixture struct {
	Name    string // the folder in testdata/servers
	Program string // what must be there
	Root    string // canonical
	Config  string // path of the configuration
	Cases   []expect.Case
}

// kind is a server that tests ask.
type kind struct {
	name      string // the folder in testdata/servers with its configuration and its answers
	workspace string // the folder with what it is asked about: two that read one language share it
	program   string // a name on PATH, an absolute path, or a path below testdata/servers
}

func kinds() []kind {
	return []kind{
		{name: "go", workspace: "go", program: "gopls"},
		{name: "typescript", workspace: "typescript", program: "node_modules/.bin/typescript-language-server"},
		{name: "typescript7", workspace: "typescript", program: "node_modules/typescript7/bin/tsc"},
		{name: "python", workspace: "python", program: "node_modules/pyright/langserver.index.js"},
		{name: "basedpyright", workspace: "python", program: "node_modules/.bin/basedpyright-langserver"},
		{name: "cpp", workspace: "cpp", program: "clangd"},
		{name: "rust", workspace: "rust", program: "/usr/bin/rust-analyzer"},
	}
}

// Names lists the servers, by their folders in testdata/servers.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Require is the variable that makes a missing server a failure. CI sets it.
const Require = "NAVSEAM_TEST_REQUIRE"

// Prepare copies a workspace. Where the server is not installed the test is skipped, and
// fails where CI asks for it; gopls is built from tools.mod and never missing.
func Prepare(t *testing.T, name string) Fixture {
	t.Helper()
	repository := repositoryRoot(t)
	servers := filepath.Join(repository, "testdata", "servers")
	k := kinds()[slices.Index(Names(), name)]
	f := Fixture{Name: name, Program: k.program, Config: filepath.Join(servers, name, "config.yaml")}
	switch {
	case name == "go":
		f.Program = gopls(t, repository)
		t.Setenv("PATH", filepath.Dir(f.Program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	case strings.HasPrefix(k.program, "node_modules/"):
		f.Program = filepath.Join(servers, filepath.FromSlash(k.program))
	}
	if _, err := exec.LookPath(f.Program); err != nil {
		if os.Getenv(Require) != "" {
			t.Fatalf("%s is missing and %s is set: %v", f.Program, Require, err)
		}
		t.Skipf("%s is not installed: see testdata/servers/README.md", k.program)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	f.Root = filepath.Join(root, "workspace")
	check(t, copyWorkspace(f.Root, filepath.Join(servers, k.workspace, "workspace")))
	text, err := os.ReadFile(filepath.Join(servers, name, "expect.txt"))
	check(t, err)
	f.Cases, err = expect.Parse(string(text))
	check(t, err)
	return f
}

// FirstOfEach returns one case of each operation.
func (f Fixture) FirstOfEach() []expect.Case {
	var cases []expect.Case
	seen := map[string]bool{}
	for _, c := range f.Cases {
		if !seen[c.Operation.String()] {
			seen[c.Operation.String()] = true
			cases = append(cases, c)
		}
	}
	return cases
}

// copyWorkspace copies a folder. A file NAME.in becomes NAME, with ${workspace} replaced.
func copyWorkspace(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if name, ok := strings.CutSuffix(target, ".in"); ok {
			target = name
			content = bytes.ReplaceAll(content, []byte("${workspace}"), []byte(filepath.ToSlash(to)))
		}
		return os.WriteFile(target, content, 0o600)
	})
}

func repositoryRoot(t *testing.T) string {
	t.Helper()
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	check(t, err)
	return filepath.Dir(strings.TrimSpace(string(mod)))
}

// gopls builds the server that tools.mod names, and returns its path.
func gopls(t *testing.T, repository string) string {
	t.Helper()
	command := exec.Command("go", "tool", "-modfile=tools.mod", "-n", "gopls")
	command.Dir = repository
	path, err := command.Output()
	check(t, err)
	return strings.TrimSpace(string(path))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
