package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	dir := filepath.Join(w.work, "list")
	for _, name := range []string{"b", "a-b", "ü", ".hidden", "a/x"} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), "")
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	want := []string{".hidden", "a/", "a-b", "b", "empty/", "ü"} // in the order of the names without slash

	if runtime.GOOS == "linux" { // elsewhere these are no names of files
		for _, name := range []string{"not UTF-8 \xff", "line\nbreak", "carriage\rreturn"} {
			write(t, filepath.Join(dir, name), "")
		}
	}
	folder := newFolder(t, w)
	names, err := folder.List(t.Context(), "list")
	require.NoError(t, err)
	require.Equal(t, want, names)
	names, err = folder.List(t.Context(), "list/empty")
	require.NoError(t, err)
	require.Empty(t, names)
}

// A link is not followed, so that a walk over the names comes to an end.
func TestListOfLinks(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	dir := filepath.Join(w.work, "list")
	require.NoError(t, os.Mkdir(dir, 0o755))
	link(t, "..", filepath.Join(dir, "up"))
	link(t, w.outside, filepath.Join(dir, "out"))
	link(t, "nowhere", filepath.Join(dir, "dangling"))
	names, err := newFolder(t, w).List(t.Context(), "list")
	require.NoError(t, err)
	require.Equal(t, []string{"dangling", "out", "up"}, names)
}

func TestListIsBounded(t *testing.T) {
	dir := realDir(t)
	var want []string
	for i := range 2500 {
		name := fmt.Sprintf("%04d", i)
		write(t, filepath.Join(dir, name), "")
		want = append(want, name)
	}
	list := func(most int) ([]string, error) {
		handle, err := os.Open(dir)
		require.NoError(t, err)
		defer handle.Close()
		return namesIn(t.Context(), handle, most)
	}
	names, err := list(2500)
	require.NoError(t, err)
	require.True(t, slices.Equal(want, names))
	names, err = list(2499)
	require.ErrorIs(t, err, ErrTooMany)
	require.ErrorContains(t, err, "2499")
	require.Nil(t, names)
}
