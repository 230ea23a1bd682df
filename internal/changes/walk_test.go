package changes

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A walk at random over a folder, from a seed. After each step the mirror, which knows only what
// was told, has the files of the folder, and each whose content is another was told of.
func TestWalk(t *testing.T) {
	const walks, steps = 8, 60
	modes(t, func(t *testing.T, events bool) {
		for seed := range uint64(walks) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				w := &walk{harness: follow(t, t.TempDir(), events, "skip"), random: rand.New(rand.NewPCG(seed, 1))}
				w.mirror = w.truth()
				for step := range steps {
					var done []string
					for range 1 + w.random.IntN(6) {
						done = append(done, w.step())
					}
					w.compare(fmt.Sprintf("seed %d step %d: %q", seed, step, done))
				}
			})
		}
	})
}

type walk struct {
	*harness
	random *rand.Rand
	mirror map[string]string // content by path
	count  int
}

// step does something to the folder.
func (w *walk) step() string {
	w.count++
	a, b := w.pick(), w.pick()
	text := fmt.Sprintf("%06d", w.count) // all of one size
	switch n := w.random.IntN(20); {
	case n < 8:
		_ = os.MkdirAll(filepath.Dir(w.at(a)), 0o700)
		_ = os.WriteFile(w.at(a), []byte(text), 0o600)
		return "write " + a
	case n < 11:
		_ = os.Remove(w.at(a))
		return "remove " + a
	case n < 14:
		_ = os.MkdirAll(filepath.Dir(w.at(b)), 0o700)
		_ = os.Rename(w.at(a), w.at(b))
		return "rename " + a + " " + b
	case n < 15:
		_ = os.Symlink(w.at(b), w.at(a))
		return "link " + a + " to " + b
	case n < 16:
		_ = os.Link(w.at(b), w.at(a))
		return "hard link " + a + " to " + b
	case n < 17:
		_ = os.RemoveAll(w.at(filepath.Dir(a)))
		_ = os.MkdirAll(w.dir, 0o700)
		return "remove all of " + filepath.Dir(a)
	case n < 19:
		from, to := filepath.Dir(a), filepath.Dir(b)
		_ = os.Rename(w.at(from), w.at(to))
		return "rename " + from + " " + to
	default:
		for i := range 300 {
			_ = os.MkdirAll(w.at(b)+".d", 0o700)
			_ = os.WriteFile(filepath.Join(w.at(b)+".d", fmt.Sprint(i)), []byte(text), 0o600)
		}
		return "burst in " + b + ".d"
	}
}

// pick is one of a few names, so that they are met again.
func (w *walk) pick() string {
	name := string(rune('a' + w.random.IntN(4)))
	for range w.random.IntN(4) {
		name = string(rune('p'+w.random.IntN(3))) + "/" + name
	}
	if w.random.IntN(12) == 0 {
		name = "skip/" + name
	}
	return name
}

// truth reads the folder as it is.
func (w *walk) truth() map[string]string {
	files := map[string]string{}
	_ = filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			if entry.Name() == "skip" {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			files[path] = string(text)
		}
		return nil
	})
	return files
}

func (w *walk) compare(what string) {
	w.t.Helper()
	found := slices.DeleteFunc(w.all(), func(c Change) bool { return c.Folder })
	now := w.truth()
	told := map[string]bool{}
	for _, c := range found {
		told[c.Path] = true
		_, had := w.mirror[c.Path]
		_, has := now[c.Path]
		require.Equal(w.t, c.Kind == Created, !had, "%s: %s", what, w.short([]Change{c}))
		require.Equal(w.t, c.Kind == Deleted, !has, "%s: %s", what, w.short([]Change{c}))
	}
	for path, text := range now {
		if before, had := w.mirror[path]; !had || before != text {
			require.True(w.t, told[path], "%s: not told of %s", what, path)
		}
	}
	for path := range w.mirror {
		if _, has := now[path]; !has {
			require.True(w.t, told[path], "%s: not told of the end of %s", what, path)
		}
	}
	w.mirror = now
}

// Many look while many write.
func TestHammer(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for j := range 100 {
					name := filepath.Join(h.dir, fmt.Sprint(i), fmt.Sprint(j%10))
					_ = os.MkdirAll(filepath.Dir(name), 0o700)
					_ = os.WriteFile(name, []byte(fmt.Sprint(j)), 0o600)
					if j%7 == 0 {
						_ = os.RemoveAll(filepath.Dir(name))
					}
				}
			})
			all.Go(func() {
				cursor := h.tree.Follow()
				defer cursor.Close()
				for range 50 {
					_, err := cursor.Look(context.Background())
					if err != nil {
						t.Error(err)
					}
					h.tree.Status()
				}
			})
		}
		all.Wait()
		mirror := map[string]bool{}
		found, err := h.cursor.Look(t.Context())
		require.NoError(t, err)
		for _, c := range found {
			if !c.Folder {
				mirror[c.Path] = true
			}
		}
		want := (&walk{harness: h}).truth()
		require.Len(t, mirror, len(want))
		for path := range want {
			require.True(t, mirror[path], path)
		}
	})
}

// An overflowed queue costs a sweep, and events go on.
func TestOverflow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no events")
	}
	h := follow(t, t.TempDir(), true)
	h.write("a", "")
	h.write("d/b", "")
	require.Equal(t, "+a +d/b", h.look())
	most := 1 << 13 // four events each: more than fs.inotify.max_queued_events
	for i := range most {
		h.write("a", fmt.Sprint(i))
		h.write("d/b", fmt.Sprint(i))
	}
	h.write("d/e/c", "")
	require.Equal(t, "~a ~d/b +d/e/c", h.look())
	require.Empty(t, h.look())
	h.write("d/e/f", "")
	require.Equal(t, "+d/e/f", h.look())
	require.True(t, h.tree.Status().Events)
}

// A tree gives back what it holds.
func TestNothingIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	handles := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(entries)
	}
	before, running := handles(), runtime.NumGoroutine()
	for range 10 {
		h := follow(t, t.TempDir(), true)
		h.write("a", "")
		h.look()
		h.tree.Close()
	}
	require.Equal(t, before, handles())
	require.LessOrEqual(t, runtime.NumGoroutine(), running)
}
