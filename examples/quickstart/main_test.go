package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program is built and run as a reader of the README does it, and its answers are compared
// with what go/parser finds in the same source.
func TestQuickstart(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	stdout, stderr, err := quickstart(t, ".")
	require.NoError(t, err, stderr)
	require.Contains(t, stderr, "Building gopls")

	answers := sections(stdout)
	require.Len(t, answers, 6, stdout)

	provider := declaration(t, root, "seam/provider.go", "Provider")
	require.Equal(t, []string{provider}, places(answers["goToDefinition of Provider"]))

	require.ElementsMatch(t, usesOfAsk(t, root), places(answers["findReferences of Ask"]))
	require.Contains(t, places(answers["findReferences of Ask"]), declaration(t, root, "seam/provider.go", "Ask"))

	implementations := places(answers["goToImplementation of Provider"])
	require.Contains(t, implementations, declaration(t, root, "providers/stdio/provider.go", "Provider"))
	require.Contains(t, implementations, declaration(t, root, "seam/seamtest/memory.go", "Memory"))

	require.Contains(t, answers["hover of Query"], "seam.Registry) Query(ctx context.Context, q seam.Request) (seam.Result, error)")
	require.Contains(t, answers["hover of Query"], "Query asks the provider that serves the file.")

	// The module answers in the same form.
	require.Equal(t, []string{
		"examples/wasm-provider/sample/schema.graphql:23:20",
		"examples/wasm-provider/sample/schema.graphql:30:6",
	}, places(answers["goToImplementation of Owner"]))
	require.Contains(t, answers["hover of Node"], "interface Node")
	require.Contains(t, answers["hover of Node"], "Anything with an id.")
}

func TestQuickstartElsewhere(t *testing.T) {
	stdout, stderr, err := quickstart(t, t.TempDir())
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, stdout)
	require.Contains(t, stderr, "is this a clone of navseam?")
}

func quickstart(t *testing.T, dir string) (stdout, stderr string, err error) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "quickstart")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)

	var answers, words strings.Builder
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &answers, &words
	err = cmd.Run()
	return answers.String(), words.String(), err
}

// sections gives the answers by the question, without the question's place.
func sections(out string) map[string]string {
	answers := map[string]string{}
	var current string
	for line := range strings.Lines(out) {
		if question, _, ok := strings.Cut(line, " at "); ok && !strings.HasPrefix(line, " ") {
			current = question
			continue
		}
		answers[current] += line
	}
	return answers
}

// places gives the path:line:column of each line of an answer.
func places(answer string) []string {
	var found []string
	for line := range strings.Lines(answer) {
		if place, _, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			found = append(found, place)
		}
	}
	return found
}

// declaration finds the top-level type or function of that name.
func declaration(t *testing.T, root, file, name string) string {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	for _, declared := range parsed.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == name {
				found = append(found, place(t, files, root, d.Name.Pos()))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.Name == name {
					found = append(found, place(t, files, root, s.Name.Pos()))
				}
			}
		}
	}
	require.Len(t, found, 1, "%s in %s", name, file)
	return found[0]
}

// usesOfAsk finds what is written Ask in package seam, and seam.Ask everywhere.
func usesOfAsk(t *testing.T, root string) []string {
	t.Helper()
	files := token.NewFileSet()
	var uses []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", ".git", "node_modules"}, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "seam" && n.Sel.Name == "Ask" {
					uses = append(uses, place(t, files, root, n.Sel.Pos()))
				}
			case *ast.Ident:
				if parsed.Name.Name == "seam" && n.Name == "Ask" {
					uses = append(uses, place(t, files, root, n.Pos()))
				}
			}
			return true
		})
		return nil
	}))
	return uses
}

func place(t *testing.T, files *token.FileSet, root string, at token.Pos) string {
	t.Helper()
	position := files.Position(at)
	path, err := filepath.Rel(root, position.Filename)
	require.NoError(t, err)
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(path), position.Line, position.Column)
}
