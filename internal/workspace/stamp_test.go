package workspace

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// readLater reads a file as if it had last changed long before.
func readLater(t *testing.T, w *world, path string) Source {
	t.Helper()
	source, err := w.view.Read(t.Context(), path)
	require.NoError(t, err)
	source.Stamp.taken += int64(time.Minute)
	return source
}

func TestUnchanged(t *testing.T) {
	noTrace := func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no time of change, no number of the file")
		}
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, w *world)
		want   bool
	}{
		{"nothing", func(*testing.T, *world) {}, true},
		{"read only", func(t *testing.T, w *world) { _, _ = os.ReadFile(w.good) }, true},
		{"another file", func(t *testing.T, w *world) { write(t, filepath.Join(w.work, "new.go"), "") }, true},
		{"another size", func(t *testing.T, w *world) { write(t, w.good, goodText+"\n") }, false},
		{"same size, later", func(t *testing.T, w *world) {
			write(t, w.good, "package evil\n")
			later := time.Now().Add(time.Second)
			require.NoError(t, os.Chtimes(w.good, later, later))
		}, false},
		{"same size and time of writing", func(t *testing.T, w *world) {
			noTrace(t)
			info, err := os.Stat(w.good)
			require.NoError(t, err)
			time.Sleep(20 * time.Millisecond) // more than the clock of the kernel takes for a step
			write(t, w.good, "package evil\n")
			require.NoError(t, os.Chtimes(w.good, time.Time{}, info.ModTime()))
		}, false},
		{"another file of the same size and time", func(t *testing.T, w *world) {
			noTrace(t)
			info, err := os.Stat(w.good)
			require.NoError(t, err)
			fresh := filepath.Join(w.work, "fresh.go")
			write(t, fresh, "package evil\n")
			require.NoError(t, os.Chtimes(fresh, time.Time{}, info.ModTime()))
			require.NoError(t, os.Rename(fresh, w.good))
		}, false},
		{"deleted", func(t *testing.T, w *world) { require.NoError(t, os.Remove(w.good)) }, false},
		{"a link to a copy", func(t *testing.T, w *world) {
			require.NoError(t, os.Rename(w.good, filepath.Join(w.work, "moved.go")))
			link(t, "moved.go", w.good)
		}, false},
		{"a folder", func(t *testing.T, w *world) {
			require.NoError(t, os.Remove(w.good))
			require.NoError(t, os.Mkdir(w.good, 0o755))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			source := readLater(t, w, w.good)
			c.change(t, w)
			require.Equal(t, []bool{c.want}, w.view.Unchanged(t.Context(), source))
		})
	}
}

// What changed right before it was read may change again without a trace.
func TestUnchangedProvesNothingOfAFileThatHadJustChanged(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, w.good, goodText)
	source, err := w.view.Read(t.Context(), w.good)
	require.NoError(t, err)
	require.Equal(t, []bool{false}, w.view.Unchanged(t.Context(), source))

	changed := max(source.Stamp.mtime, source.Stamp.ctime)
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{
		{-time.Hour, false}, // a clock that is behind
		{0, false},
		{time.Second, false},
		{2 * time.Second, false},
		{2*time.Second + 1, true},
	} {
		source.Stamp.taken = changed + int64(c.after)
		require.Equal(t, []bool{c.want}, w.view.Unchanged(t.Context(), source), c.after)
	}
}

func TestUnchangedOfAFileFromTheFuture(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	future := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(w.good, future, future))
	source := readLater(t, w, w.good)
	require.Equal(t, []bool{false}, w.view.Unchanged(t.Context(), source))
}

func TestUnchangedOfMany(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	var sources []Source
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		write(t, filepath.Join(w.work, name), goodText)
		sources = append(sources, readLater(t, w, name))
	}
	write(t, filepath.Join(w.work, "b.go"), "other")
	require.Equal(t, []bool{true, false, true}, w.view.Unchanged(t.Context(), sources...))
	require.Equal(t, []bool{false}, w.view.Unchanged(t.Context(), Source{}), "the zero source")
	require.Empty(t, w.view.Unchanged(t.Context()))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, []bool{false, false, false}, w.view.Unchanged(ctx, sources...), "nothing is proved")
}

// A file that changes while it is read is not the one that the stamp is of.
func TestTheStampIsOlderThanTheText(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	file, stamp, err := openRegular(place{dir: w.view.dir, name: "good.go"}, w.good)
	require.NoError(t, err)
	defer file.Close()
	write(t, w.good, goodText+"and more\n")
	raw, err := readUpTo(t.Context(), file, stamp.size, 1000)
	require.NoError(t, err)
	require.Equal(t, goodText+"and more\n", string(raw))
	stamp.taken += int64(time.Minute)
	require.Equal(t, []bool{false}, w.view.Unchanged(t.Context(), Source{Path: w.good, Stamp: stamp}))
}
