package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// A question may name a symbol in a file outside that an answer led to. Its source is not
// shown all the same: a provider could have led to any file.
func TestFilesThatAnswersLedTo(t *testing.T) {
	outside := folder(t, map[string]string{"lib.go": "package secret\n"})
	root := folder(t, map[string]string{"a.go": "package a\n"})
	lib := filepath.Join(outside, "lib.go")
	q := says(answerOf(root, in(outside, "lib.go", 0, 8)))
	tool := toolOf(t, q, Config{Snippets: true})
	into := call("goToDefinition", lib, 1, `"symbol":"secret"`)

	answer := tool.Call(t.Context(), []string{root}, into)
	require.Equal(t, seam.ReasonOutside, answer.Meta.Error.Reason, "no answer has led there")

	for range 2 { // also when it is known
		answer = tool.Call(t.Context(), []string{root}, call("goToDefinition", "a.go", 1, `"character":1`))
		require.Equal(t, filepath.ToSlash(lib)+":1:9 [outside workspace]\n1 location in 1 file.", answer.Text)
	}
	answer = tool.Call(t.Context(), []string{root}, into)
	require.False(t, answer.Failed, answer.Text)
	require.Contains(t, answer.Text, "secret is at line 1, column 9.\n")
	require.NotContains(t, answer.Text, "package secret")
}

// Only what was shown is let in.
func TestFilesThatWereNotShown(t *testing.T) {
	outside := folder(t, map[string]string{"a.go": "a", "b.go": "b"})
	root := folder(t, map[string]string{"a.go": "a"})
	tool := toolOf(t, says(answerOf(root, in(outside, "a.go", 0, 0), in(outside, "b.go", 0, 0))), Config{MaxLocations: 1})
	tool.Call(t.Context(), []string{root}, call("goToDefinition", "a.go", 1, `"character":1`))
	require.False(t, tool.Call(t.Context(), []string{root}, call("hover", filepath.Join(outside, "a.go"), 1, `"symbol":"a"`)).Failed)
	require.True(t, tool.Call(t.Context(), []string{root}, call("hover", filepath.Join(outside, "b.go"), 1, `"symbol":"b"`)).Failed)
}

// Source roots are shown and may be asked about. A reload may change them.
func TestSourceRoots(t *testing.T) {
	outside := folder(t, map[string]string{"lib.go": "package lib\n"})
	root := folder(t, map[string]string{"a.go": "a"})
	tool := toolOf(t, says(answerOf(root, in(outside, "lib.go", 0, 8))), Config{Snippets: true})
	ask := func() string {
		return tool.Call(t.Context(), []string{root}, call("goToDefinition", "a.go", 1, `"symbol":"a"`)).Text
	}
	require.NotContains(t, ask(), ": package lib")
	views := tool.state.Load().views

	tool.Configure(Config{Snippets: true, SourceRoots: []string{outside}})
	require.Contains(t, ask(), ":1:9 [outside workspace]: package lib\n")
	require.Zero(t, views.recent.Len(), "the views from before are closed")

	views = tool.state.Load().views
	tool.Configure(Config{Format: FormatGrouped, SourceRoots: []string{outside}})
	require.Contains(t, ask(), "lib.go [outside workspace]\n  1:9\n")
	require.Same(t, views, tool.state.Load().views, "they stay when nothing of theirs changes")

	tool.Configure(Config{MaxSourceBytes: 3, Snippets: true})
	require.NotSame(t, views, tool.state.Load().views)
	require.Contains(t, tool.Call(t.Context(), []string{outside}, call("hover", "lib.go", 1, `"symbol":"lib"`)).Text, "too large")
}

// What cannot be read is shown without its source, and nothing waits for it.
func TestSourcesThatCannotBeRead(t *testing.T) {
	root := folder(t, map[string]string{"latin.go": "caf\xe9\n", "folder/x": "", "bom.go": "\ufeffone\n"})
	answer := answerOf(root, in(root, "latin.go", 0, 0), in(root, "folder", 0, 0), in(root, "bom.go", 0, 0), in(root, "", 0, 0))
	tool := toolOf(t, says(answer), Config{Snippets: true})
	require.Equal(t, "latin.go:1:1\nfolder:1:1\nbom.go:1:1: one\n.:1:1\n4 locations in 4 files.",
		tool.Call(t.Context(), []string{root}, call("findReferences", "bom.go", 1, `"character":1`)).Text)

	ctx, cancel := context.WithCancel(t.Context())
	found, err := tool.Ask(ctx, root, Question{File: "bom.go", Line: 1, Character: 1})
	require.NoError(t, err)
	cancel()
	require.Equal(t, "latin.go:1:1\nfolder:1:1\nbom.go:1:1\n.:1:1\n4 locations in 4 files.", tool.Show(ctx, found).Text, "nobody waits for files any more")
}

// A hung file system would cost an answer two seconds and what is read, but not the answer.
// Here the deadline has passed before.
func TestNobodyWaitsForFiles(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "a"})
	tool := toolOf(t, says(seam.Locations{WorkspaceURI: workspace.FileURI(root)}), Config{})
	found, err := tool.Ask(t.Context(), root, Question{File: "a.go", Line: 1, Character: 1})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, "No results.", tool.Show(ctx, found).Text)
}

// Of a line that no person wrote no part is looked for: 4 MB with a hundred places would take
// half a second.
func TestEndlessLines(t *testing.T) {
	root := folder(t, map[string]string{"a.min.js": strings.Repeat("x=1;", maxLine/4+1) + "\nx=2;"})
	answer := answerOf(root, in(root, "a.min.js", 0, 4000), in(root, "a.min.js", 1, 0))
	text := toolOf(t, says(answer), Config{Snippets: true}).Call(t.Context(), []string{root}, call("findReferences", "a.min.js", 1, `"character":1`)).Text
	require.Equal(t, "a.min.js:1:4001\na.min.js:2:1: x=2;\n2 locations in 1 file.", text)
}

// The workspaces that are kept are bounded. Those in use are never closed under their user.
func TestViewsAreBounded(t *testing.T) {
	tool := toolOf(t, nil, Config{})
	v := tool.state.Load().views
	root := folder(t, map[string]string{"a.go": "a"})
	first, release, err := v.use(t.Context(), root)
	require.NoError(t, err)
	again, releaseAgain, err := v.use(t.Context(), filepath.Join(root, "."))
	require.NoError(t, err)
	require.Same(t, first, again)
	for range 2 * maxViews {
		_, done, err := v.use(t.Context(), folder(t, nil))
		require.NoError(t, err)
		done()
	}
	require.Equal(t, maxViews, v.recent.Len())
	require.Len(t, v.byKey, maxViews)

	release()
	_, err = first.snippets.Read(t.Context(), "a.go")
	require.NoError(t, err, "it has another user")
	releaseAgain()
	_, err = first.snippets.Read(t.Context(), "a.go")
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))

	tool.Close()
	require.Zero(t, v.recent.Len())
	late, done, err := v.use(t.Context(), root)
	require.NoError(t, err, "a call that began before")
	done()
	_, err = late.sources.Read(t.Context(), "a.go")
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
	require.Zero(t, v.recent.Len())
}

// A workspace that is made again is another one.
func TestWorkspaceIsMadeAgain(t *testing.T) {
	root := folder(t, map[string]string{"w/a.go": "first\n"})
	w := filepath.Join(root, "w")
	tool := toolOf(t, says(answerOf(w, in(w, "a.go", 0, 0))), Config{Snippets: true})
	ask := func() string {
		return tool.Call(t.Context(), []string{w}, call("goToDefinition", "a.go", 1, `"character":1`)).Text
	}
	require.Contains(t, ask(), "a.go:1:1: first\n")
	require.NoError(t, os.Rename(w, filepath.Join(root, "old")))
	require.NoError(t, os.Mkdir(w, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(w, "a.go"), []byte("second\n"), 0o600))
	require.Contains(t, ask(), "a.go:1:1: second\n")
	require.NoError(t, os.RemoveAll(w))
	require.Contains(t, ask(), "a.go:1:1\n")
}

// Calls, reloads and the end may come in any order. No handle is left.
func TestHammer(t *testing.T) {
	var roots []string
	for i := range 2 * maxViews {
		roots = append(roots, folder(t, map[string]string{"a.go": fmt.Sprintf("r%d\n", i)}))
	}
	before := openHandles(t)
	tool := New(rootTeller{}, Config{Snippets: true})
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := range 40 {
				n := (caller*7 + i) % len(roots)
				answer := tool.Call(t.Context(), []string{roots[n]}, call("goToDefinition", "a.go", 1, fmt.Sprintf(`"symbol":"r%d"`, n)))
				if want := fmt.Sprintf("a.go:1:1: r%d\n", n); !strings.Contains(answer.Text, want) {
					t.Errorf("%q is not in %q", want, answer.Text)
				}
				if caller == 0 {
					tool.Configure(Config{Snippets: true, MaxSourceBytes: int64(100 + i)})
				}
			}
		})
	}
	callers.Wait()
	tool.Close()
	tool.Close()
	require.Equal(t, before, openHandles(t))
}

// rootTeller leads to a.go in the workspace that it is asked about.
type rootTeller struct{}

func (rootTeller) Query(_ context.Context, request seam.Request) (seam.Result, error) {
	return seam.Locations{
		WorkspaceURI: workspace.FileURI(request.WorkspaceRoot),
		Items:        []seam.Location{{URI: workspace.FileURI(filepath.Join(request.WorkspaceRoot, "a.go"))}},
	}, nil
}

// openHandles counts the open files of this process, where the system tells them.
func openHandles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}
