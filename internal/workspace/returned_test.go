package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// the exception for what the provider returned itself.
func TestAllow(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	other := filepath.Join(w.outside, "other.go")
	write(t, other, secretText)
	link(t, w.elsewhere, filepath.Join(w.outside, "alias.go"))
	refused := func(path string) {
		_, err := w.view.Read(t.Context(), path)
		requireError(t, err, seam.CodeSourceRejected, seam.ReasonOutside)
	}
	refused(w.elsewhere)

	w.view.Allow(t.Context(), w.root)
	w.view.Allow(t.Context(), w.root, "", "untitled:x", "file:relative", "file:///%zz", FileURI(filepath.Join(w.outside, "missing.go")))
	refused(w.elsewhere)

	w.view.Allow(t.Context(), w.root, FileURI(filepath.Join(w.outside, "alias.go")))
	for _, path := range []string{w.elsewhere, filepath.Join(w.outside, "alias.go")} { // by the real path: both names
		source, err := w.view.Read(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, secretText, source.Text)
		require.Equal(t, w.elsewhere, source.Path)
	}
	refused(other)
	_, err := w.view.Read(t.Context(), w.outside)
	requireError(t, err, seam.CodeSourceRejected, seam.ReasonOutside)

	// A link that is turned elsewhere afterwards opens nothing.
	require.NoError(t, os.Remove(filepath.Join(w.outside, "alias.go")))
	link(t, other, filepath.Join(w.outside, "alias.go"))
	refused(filepath.Join(w.outside, "alias.go"))
}

func TestAllowIgnoresTheWorkspace(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	link(t, w.elsewhere, filepath.Join(w.work, "out.go"))
	w.view.Allow(t.Context(), w.root, w.root.URI(), FileURI(w.good), FileURI(filepath.Join(w.work, "out.go")), w.root.URI()+"/sub/../out.go")
	require.Zero(t, w.view.returned.recent.Len())
	_, err := w.view.Read(t.Context(), "out.go")
	requireError(t, err, seam.CodeSourceRejected, seam.ReasonOutside)
}

func TestAllowUnderADoneContext(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.view.Allow(ctx, w.root, FileURI(w.elsewhere))
	require.Zero(t, w.view.returned.recent.Len())
}

func TestReturnedForgetsWhatWasNotReturnedForLongest(t *testing.T) {
	r := newReturned(3)
	for _, path := range []string{"a", "b", "c"} {
		r.add(".", path, "real "+path)
	}
	require.Equal(t, []string{"d"}, r.unseen(".", []string{"a", "d", "d", "a"}), "each once; a is the most recent now")
	r.add(".", "d", "real d")
	require.True(t, r.has("real a"))
	require.False(t, r.has("real b"))
	require.True(t, r.has("real c"))
	require.True(t, r.has("real d"))
	require.False(t, r.has("a"))

	require.Equal(t, []string{"1", "2", "3"}, r.unseen(".", []string{"1", "2", "3", "4"}), "no more than fit")
}

func TestReturnedCountsTheNamesOfAFile(t *testing.T) {
	r := newReturned(2)
	r.add(".", "name", "file")
	r.add(".", "alias", "file")
	r.add(".", "alias", "file")
	r.add(".", "other", "other file")
	require.True(t, r.has("file"), "alias is still there")
	r.add(".", "another", "another file")
	require.False(t, r.has("file"))
	require.Len(t, r.files, 2)
	require.Len(t, r.named, 2)
	require.Equal(t, 2, r.recent.Len())
}

// The first locations of an answer are the ones that an agent looks at.
func TestAllowKeepsTheFirstOfALongAnswer(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	w.view.returned = newReturned(2)
	var uris []string
	for i := range 4 {
		path := filepath.Join(w.outside, fmt.Sprintf("%d.go", i))
		write(t, path, secretText)
		uris = append(uris, FileURI(path))
	}
	w.view.Allow(t.Context(), w.root, uris...)
	w.view.Allow(t.Context(), w.root, FileURI(w.elsewhere)) // puts one out
	_, err := w.view.Read(t.Context(), filepath.Join(w.outside, "0.go"))
	require.NoError(t, err)
	_, err = w.view.Read(t.Context(), filepath.Join(w.outside, "1.go"))
	requireError(t, err, seam.CodeSourceRejected, seam.ReasonOutside)
}

func TestAllowByManyAtOnce(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	w.view.returned = newReturned(8)
	var uris []string
	for i := range 20 {
		path := filepath.Join(w.outside, fmt.Sprintf("%d.go", i))
		write(t, path, secretText)
		uris = append(uris, FileURI(path))
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				w.view.Allow(t.Context(), w.root, uris[(i+j)%20], uris[(i*j)%20])
				_, _ = w.view.Read(t.Context(), filepath.Join(w.outside, fmt.Sprintf("%d.go", j%20)))
			}
		})
	}
	group.Wait()
	r := &w.view.returned
	require.Equal(t, 8, r.recent.Len())
	require.Len(t, r.named, 8)
	require.Len(t, r.files, 8)
}
