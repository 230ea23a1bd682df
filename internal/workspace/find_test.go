package workspace

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// A document outside the root has no name in it, and is read by its path like any other.
func TestFindOutsideTheRoot(t *testing.T) {
	dir := realDir(t)
	library := filepath.Join(dir, "library", "fmt.go")
	write(t, library, goodText)
	link(t, filepath.Dir(library), filepath.Join(dir, "current"))
	w := newWorld(t, ViewOptions{SourceRoots: []string{filepath.Join(dir, "current")}})
	_, err := w.view.Find(t.Context(), w.elsewhere)
	requireError(t, err, seam.CodeSourceRejected, seam.ReasonOutside)
	w.view.Allow(t.Context(), w.root, FileURI(w.elsewhere))

	for _, path := range []string{library, w.elsewhere} {
		document, err := w.view.Find(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, Document{Path: path, URI: FileURI(path)}, document)
		source, err := w.view.Read(t.Context(), document.Path)
		require.NoError(t, err)
		require.Equal(t, path, source.Path)
	}
	document, err := w.view.Find(t.Context(), filepath.Join(dir, "current", "fmt.go"))
	require.NoError(t, err)
	require.Equal(t, library, document.Path)
}

// A source root inside the root does not take the name away.
func TestFindInASourceRootInsideTheRoot(t *testing.T) {
	dir := realDir(t)
	write(t, filepath.Join(dir, "vendor", "x.go"), goodText)
	files := NewFiles(1)
	root, err := files.Root(t.Context(), dir)
	require.NoError(t, err)
	view, err := files.View(t.Context(), root, ViewOptions{SourceRoots: []string{filepath.Join(dir, "vendor")}})
	require.NoError(t, err)
	defer view.Close()
	document, err := view.Find(t.Context(), "vendor/x.go")
	require.NoError(t, err)
	require.Equal(t, "vendor/x.go", document.Name)
}

// What is in a file is no matter: that is found out when it is read.
func TestFindDoesNotReadTheContent(t *testing.T) {
	w := newWorld(t, ViewOptions{MaxBytes: 10})
	for name, text := range map[string]string{"large": "more than ten bytes", "binary": "\x00", "latin1": "\xff"} {
		write(t, filepath.Join(w.work, name), text)
		document, err := w.view.Find(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, name, document.Name)
		_, err = w.view.Read(t.Context(), document.Path)
		require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err))
	}
}
