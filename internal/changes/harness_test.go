package changes

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
)

// modes are the ways to find changes. Each test runs with both, where there are events.
func modes(t *testing.T, run func(t *testing.T, events bool)) {
	t.Run("sweep", func(t *testing.T) { run(t, false) })
	if runtime.GOOS == "linux" {
		t.Run("events", func(t *testing.T) { run(t, true) })
	}
}

// harness follows a folder.
type harness struct {
	t      testing.TB
	dir    string
	tree   *Tree
	cursor *Cursor
}

func follow(t testing.TB, dir string, events bool, skip ...string) *harness {
	t.Helper()
	root, err := workspace.NewFiles(1).Root(context.Background(), dir)
	require.NoError(t, err)
	tree, err := Watch(context.Background(), root, Options{Skip: skip, Events: events, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(tree.Close)
	require.Equal(t, events, tree.Status().Events, tree.Status().Reason)
	return &harness{t, root.Path(), tree, tree.Follow()}
}

func (h *harness) at(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h *harness) write(name, text string) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(h.at(name)), 0o700))
	require.NoError(h.t, os.WriteFile(h.at(name), []byte(text), 0o600))
}

func (h *harness) remove(name string) {
	h.t.Helper()
	require.NoError(h.t, os.RemoveAll(h.at(name)))
}

func (h *harness) rename(from, to string) {
	h.t.Helper()
	require.NoError(h.t, os.Rename(h.at(from), h.at(to)))
}

func (h *harness) link(to, name string) {
	h.t.Helper()
	require.NoError(h.t, os.Symlink(to, h.at(name)))
}

// look tells what happened to files, in short: +created, ~changed, -deleted.
func (h *harness) look() string {
	h.t.Helper()
	return h.short(slices.DeleteFunc(h.all(), func(c Change) bool { return c.Folder }))
}

func (h *harness) all() []Change {
	h.t.Helper()
	found, err := h.cursor.Look(context.Background())
	require.NoError(h.t, err)
	return found
}

func (h *harness) short(found []Change) string {
	h.t.Helper()
	var words []string
	for _, c := range found {
		name, err := filepath.Rel(h.dir, c.Path)
		require.NoError(h.t, err)
		if c.Folder {
			name += "/"
		}
		words = append(words, map[Kind]string{Created: "+", Changed: "~", Deleted: "-"}[c.Kind]+filepath.ToSlash(name))
	}
	return strings.Join(words, " ")
}

// age makes a file one that was not changed lately, so that its times prove something.
func (h *harness) age(name string) {
	h.t.Helper()
	old := time.Now().Add(-time.Hour)
	require.NoError(h.t, os.Chtimes(h.at(name), old, old))
}
