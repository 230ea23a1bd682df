//go:build !windows

package workspace

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// neither waits for the other end.
func TestReadRefusesFIFOsAndDevicesWithoutWaiting(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	require.NoError(t, syscall.Mkfifo(filepath.Join(w.work, "fifo.go"), 0o644))
	require.NoError(t, os.Symlink("fifo.go", filepath.Join(w.work, "link.go")))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, name := range []string{"fifo.go", "link.go"} {
		_, err := w.view.Read(ctx, name)
		requireError(t, err, seam.CodeSourceRejected, seam.ReasonNotRegular)
	}

	root, err := w.files.Root(ctx, "/dev")
	require.NoError(t, err)
	devices, err := w.files.View(ctx, root, ViewOptions{MaxBytes: 10})
	require.NoError(t, err)
	defer devices.Close()
	for _, name := range []string{"null", "zero", "tty"} {
		if info, err := os.Lstat(filepath.Join("/dev", name)); err != nil || info.Mode()&os.ModeDevice == 0 {
			continue
		}
		_, err = devices.Read(ctx, name)
		requireError(t, err, seam.CodeSourceRejected, seam.ReasonNotRegular)
	}
}

// The moment between the check of a real path and its opening: the path was that of
// a good file, and the name that is opened is something else by now.
func TestOpenRegularOfANameThatWasSwapped(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	in := func(name string) string { return filepath.Join(w.work, name) }
	relative, err := filepath.Rel(w.work, w.elsewhere)
	require.NoError(t, err)
	require.NoError(t, syscall.Mkfifo(in("fifo"), 0o644))
	require.NoError(t, os.Symlink(w.elsewhere, in("absolute link out")))
	require.NoError(t, os.Symlink(relative, in("relative link out")))
	require.NoError(t, os.Symlink(w.outside, in("linked folder")))
	require.NoError(t, os.Symlink("other.go", in("link in")))
	write(t, in("other.go"), goodText)

	for _, name := range []string{
		"fifo", "absolute link out", "relative link out", "linked folder/secret.go", "link in", "other.go", "sub", "gone.go",
	} {
		t.Run(name, func(t *testing.T) {
			file, _, err := openRegular(place{dir: w.view.dir, name: name}, w.good)
			require.ErrorIs(t, err, errReplaced)
			require.Nil(t, file)
		})
	}
	file, _, err := openRegular(place{dir: w.view.dir, name: "good.go"}, w.good)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// as corrected: while names are swapped under the reads, what comes out
// is a file of the workspace or a refusal, and no read waits.
func TestReadWhileNamesAreSwapped(t *testing.T) {
	rename := func(from, to string) { _ = os.Rename(from, to) } // whatever of it succeeds
	for _, c := range []struct {
		name string
		path string // of what is read
		swap func(w *world, round int)
	}{
		{"file and link out", "x.go", func(w *world, round int) {
			fresh := filepath.Join(w.work, "fresh")
			if round%2 == 0 {
				_ = os.WriteFile(fresh, []byte(goodText), 0o644)
			} else {
				_ = os.Symlink(w.elsewhere, fresh)
			}
			rename(fresh, filepath.Join(w.work, "x.go"))
		}},
		{"file and relative link out", "x.go", func(w *world, round int) {
			fresh := filepath.Join(w.work, "fresh")
			if round%2 == 0 {
				_ = os.WriteFile(fresh, []byte(goodText), 0o644)
			} else {
				_ = os.Symlink("../outside/secret.go", fresh)
			}
			rename(fresh, filepath.Join(w.work, "x.go"))
		}},
		{"file and FIFO", "x.go", func(w *world, round int) {
			fresh := filepath.Join(w.work, "fresh")
			if round%2 == 0 {
				_ = os.WriteFile(fresh, []byte(goodText), 0o644)
			} else {
				_ = syscall.Mkfifo(fresh, 0o644)
			}
			rename(fresh, filepath.Join(w.work, "x.go"))
		}},
		{"file and folder", "x.go", func(w *world, round int) {
			path := filepath.Join(w.work, "x.go")
			_ = os.Remove(path)
			if round%2 == 0 {
				_ = os.WriteFile(path, []byte(goodText), 0o644)
			} else {
				_ = os.Mkdir(path, 0o755)
			}
		}},
		{"link in and link out", "x.go", func(w *world, round int) {
			fresh := filepath.Join(w.work, "fresh")
			_ = os.Symlink([]string{"good.go", w.elsewhere}[round%2], fresh)
			rename(fresh, filepath.Join(w.work, "x.go"))
		}},
		{"folder and linked folder outside", "d/secret.go", func(w *world, round int) {
			folder, aside := filepath.Join(w.work, "d"), filepath.Join(w.work, "aside")
			if round == 0 {
				_ = os.Mkdir(folder, 0o755)
				_ = os.WriteFile(filepath.Join(folder, "secret.go"), []byte(goodText), 0o644)
			}
			if round%2 == 1 {
				rename(folder, aside)
				_ = os.Symlink(w.outside, folder)
			} else if round > 0 {
				_ = os.Remove(folder)
				rename(aside, folder)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			c.swap(w, 0)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			stop := make(chan struct{})
			var swapper sync.WaitGroup
			swapper.Go(func() {
				for round := 1; ; round++ {
					select {
					case <-stop:
						return
					default:
						c.swap(w, round)
					}
				}
			})
			good, refused := hammer(ctx, t, w.view, c.path, 20000)
			close(stop)
			swapper.Wait()
			require.Positive(t, good, "the file was there half of the time")
			t.Logf("%d good, %d refused", good, refused)
		})
	}
}

func hammer(ctx context.Context, t *testing.T, view *View, path string, reads int) (good, refused int) {
	for range reads {
		source, err := view.Read(ctx, path)
		switch {
		case err != nil:
			if seam.CodeOf(err) != seam.CodeSourceRejected {
				t.Errorf("a read failed otherwise: %v", err)
				return good, refused
			}
			refused++
		case source.Text == goodText:
			good++
		case source.Text != "": // a file that is being written may be empty
			t.Errorf("%q came out of %s", source.Text, source.Path)
			return good, refused
		}
	}
	return good, refused
}

// A file that is replaced once during a read, as editors do it, is read all the same.
func TestReadOfAFileThatIsReplacedMeanwhile(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	path, fresh := filepath.Join(w.work, "x.go"), filepath.Join(w.work, "fresh")
	write(t, path, goodText)
	for round := range 5000 {
		if round%2 == 0 {
			require.NoError(t, os.Symlink("good.go", fresh))
		} else {
			write(t, fresh, goodText)
		}
		replaced := make(chan error)
		go func() {
			time.Sleep(time.Duration(round%40) * time.Microsecond) // to meet every step of a read
			replaced <- os.Rename(fresh, path)
		}()
		source, err := w.view.Read(t.Context(), path)
		require.NoError(t, <-replaced)
		require.NoError(t, err)
		require.Equal(t, goodText, source.Text)
	}
}

// an open that really hangs, in the kernel, holds a worker and no caller.
func TestAnOpenThatHangs(t *testing.T) {
	dir := realDir(t)
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o644))
	files := NewFiles(2)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := files.View(ctx, &Root{path: fifo}, ViewOptions{})
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))

	root, err := files.Root(t.Context(), dir)
	require.NoError(t, err, "the other worker is free")
	require.Equal(t, dir, root.Path())

	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(files.Wait(short)), "A-180: it goes on")
	end, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer end.Close()
	require.NoError(t, files.Wait(t.Context()))
}

// Every handle is given back, on every way out.
func TestReadsLeaveNoHandlesOpen(t *testing.T) {
	const table = "/proc/self/fd"
	if _, err := os.Stat(table); err != nil {
		t.Skip("no list of open handles here")
	}
	library := filepath.Join(realDir(t), "library")
	write(t, filepath.Join(library, "x.go"), goodText)
	write(t, filepath.Join(library, "large.go"), string(make([]byte, 2000)))
	w := newWorld(t, ViewOptions{MaxBytes: 1000, SourceRoots: []string{library}})
	write(t, filepath.Join(w.work, "large.go"), string(make([]byte, 2000)))
	w.view.Allow(t.Context(), FileURI(w.elsewhere))
	open := func() int {
		entries, err := os.ReadDir(table)
		require.NoError(t, err)
		return len(entries)
	}
	round := func() {
		for _, path := range []string{
			"good.go", "large.go", "sub", "missing.go", w.elsewhere, w.outside,
			filepath.Join(library, "x.go"), filepath.Join(library, "large.go"), library,
		} {
			_, _ = w.view.Read(t.Context(), path)
		}
		view, err := w.files.View(t.Context(), w.root, ViewOptions{})
		require.NoError(t, err)
		view.Close()
		_, err = w.files.View(t.Context(), &Root{path: w.work}, ViewOptions{}) // another identity
		require.Error(t, err)
	}
	round()
	before := open()
	for range 50 {
		round()
	}
	require.LessOrEqual(t, open(), before+2)
}
