//go:build !windows

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
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
			require.ErrorIs(t, err, ErrReplaced)
			require.Nil(t, file)
		})
	}
	file, _, err := openRegular(place{dir: w.view.dir, name: "good.go"}, w.good)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// swap makes the name of a good file something else in odd rounds, and good in even ones.
type swap struct {
	name string
	path string // of the file
	do   func(w *world, round int)
}

func swaps() []swap {
	rename := func(from, to string) { _ = os.Rename(from, to) } // whatever of it succeeds
	return []swap{
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
				_ = os.WriteFile(filepath.Join(w.outside, "private.go"), []byte(secretText), 0o644)
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
	}
}

// whileSwapped does something while another goroutine swaps.
func whileSwapped(w *world, s swap, do func()) {
	s.do(w, 0)
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for round := 1; ; round++ {
			select {
			case <-stop:
				return
			default:
				s.do(w, round)
			}
			if round%16 == 0 { // the file is there: on a fast disk nobody would see it otherwise
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	do()
	close(stop)
	swapper.Wait()
}

// as corrected: while names are swapped under the reads, what comes out
// is a file of the workspace or a refusal, and no read waits.
func TestReadWhileNamesAreSwapped(t *testing.T) {
	for _, s := range swaps() {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			var good, refused int
			whileSwapped(w, s, func() { good, refused = hammer(ctx, t, w.view, s.path, 20000) })
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

// A folder that is to be listed is opened with the same care.
func TestOpenAtOfAFolderThatWasSwapped(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	in := func(name string) string { return filepath.Join(w.work, name) }
	require.NoError(t, syscall.Mkfifo(in("fifo"), 0o644))
	require.NoError(t, os.Symlink(w.outside, in("absolute link out")))
	require.NoError(t, os.Symlink("../outside", in("relative link out")))
	require.NoError(t, os.Symlink("other", in("link in")))
	require.NoError(t, os.Mkdir(in("other"), 0o755))
	for _, name := range []string{"fifo", "absolute link out", "relative link out", "link in", "other", "good.go", "gone", "."} {
		t.Run(name, func(t *testing.T) {
			dir, _, err := openAt(place{dir: w.view.dir, name: name}, in("sub"), folder)
			require.ErrorIs(t, err, ErrReplaced)
			require.Nil(t, dir)
		})
	}
}

func TestFindHammerOfNamesThatAreSwapped(t *testing.T) {
	for _, s := range swaps() {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			whileSwapped(w, s, func() {
				for range 5000 {
					document, err := w.view.Find(ctx, s.path)
					if err != nil {
						require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err), err)
						continue
					}
					require.Contains(t, []string{s.path, "good.go"}, document.Name)
				}
			})
		})
	}
}

// What comes out of a folder while names are swapped is what lies in it.
func TestFolderHammerOfNamesThatAreSwapped(t *testing.T) {
	for _, s := range swaps() {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			folder, err := w.view.Folder(t.Context())
			require.NoError(t, err)
			defer folder.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			good := 0
			whileSwapped(w, s, func() {
				for range 5000 {
					if text, err := contentOf(ctx, folder, s.path); requireClassified(t, err) {
						require.Contains(t, []string{goodText, ""}, text, "a file that is being written may be empty")
						good++
					}
					if info, err := folder.Stat(ctx, s.path); requireClassified(t, err) && info.Kind == KindFile {
						require.Contains(t, []int{len(goodText), 0}, int(info.Size))
					}
					if names, err := folder.List(ctx, path.Dir(s.path)); requireClassified(t, err) && s.path == "d/secret.go" {
						require.Equal(t, []string{"secret.go"}, names, "and not what else is outside")
					}
				}
			})
			require.Positive(t, good)
			require.NoError(t, w.files.Wait(ctx))
		})
	}
}

// requireClassified reports whether there is no error, and fails the test for one that
// is none of those that names which are swapped lead to.
func requireClassified(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	for _, kind := range []error{fs.ErrNotExist, ErrOutside, ErrNotRegular, ErrNotFolder, ErrReplaced} {
		if errors.Is(err, kind) {
			return false
		}
	}
	require.NoError(t, err)
	return false
}

// openHandles returns what counts the open handles of the process.
func openHandles(t *testing.T) func() int {
	t.Helper()
	const table = "/proc/self/fd"
	if _, err := os.Stat(table); err != nil {
		t.Skip("no list of open handles here")
	}
	return func() int {
		entries, err := os.ReadDir(table)
		require.NoError(t, err)
		return len(entries)
	}
}

// Every handle is given back, on every way out.
func TestReadsLeaveNoHandlesOpen(t *testing.T) {
	open := openHandles(t)
	library := filepath.Join(realDir(t), "library")
	write(t, filepath.Join(library, "x.go"), goodText)
	write(t, filepath.Join(library, "large.go"), string(make([]byte, 2000)))
	w := newWorld(t, ViewOptions{MaxBytes: 1000, SourceRoots: []string{library}})
	write(t, filepath.Join(w.work, "large.go"), string(make([]byte, 2000)))
	w.view.Allow(t.Context(), w.root, FileURI(w.elsewhere))
	round := func() {
		for _, path := range []string{
			"good.go", "large.go", "sub", "missing.go", w.elsewhere, w.outside,
			filepath.Join(library, "x.go"), filepath.Join(library, "large.go"), library,
		} {
			_, _ = w.view.Read(t.Context(), path)
			_, _ = w.view.Find(t.Context(), path)
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

// A FIFO or a device is told apart and never opened.
func TestFolderOpensNoFIFOsAndDevices(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	require.NoError(t, syscall.Mkfifo(filepath.Join(w.work, "fifo"), 0o644))
	link(t, "fifo", filepath.Join(w.work, "link"))
	link(t, "/dev/null", filepath.Join(w.work, "null"))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	folder, err := w.files.Folder(ctx, w.work)
	require.NoError(t, err)
	defer folder.Close()
	for _, name := range []string{"fifo", "link"} {
		_, err := folder.Open(ctx, name)
		require.ErrorIs(t, err, ErrNotRegular)
		_, err = folder.List(ctx, name)
		require.ErrorIs(t, err, ErrNotFolder)
		info, err := folder.Stat(ctx, name)
		require.NoError(t, err)
		require.Equal(t, KindOther, info.Kind)
	}
	_, err = folder.Open(ctx, "null")
	require.ErrorIs(t, err, ErrOutside)

	devices, err := w.files.Folder(ctx, "/dev")
	require.NoError(t, err)
	defer devices.Close()
	for _, name := range []string{"null", "zero", "tty"} {
		if info, err := os.Lstat(filepath.Join("/dev", name)); err != nil || info.Mode()&os.ModeDevice == 0 {
			continue
		}
		_, err := devices.Open(ctx, name)
		require.ErrorIs(t, err, ErrNotRegular)
		info, err := devices.Stat(ctx, name)
		require.NoError(t, err)
		require.Equal(t, KindOther, info.Kind)
	}
	_, err = w.files.Folder(ctx, filepath.Join(w.work, "fifo"))
	require.ErrorIs(t, err, ErrNotFolder)
}

// Every handle is given back, on every way out and when the caller leaves.
func TestFoldersLeaveNoHandlesOpen(t *testing.T) {
	open := openHandles(t)
	w := newWorld(t, ViewOptions{})
	require.NoError(t, syscall.Mkfifo(filepath.Join(w.work, "fifo"), 0o644))
	folder, err := w.view.Folder(t.Context())
	require.NoError(t, err)
	defer folder.Close()
	round := func(ctx context.Context) {
		for _, name := range []string{"good.go", "sub", "fifo", "missing", "", w.elsewhere} {
			if file, err := folder.Open(ctx, name); err == nil {
				_, _ = file.ReadAt(ctx, make([]byte, 100), 0)
				file.Close()
				file.Close()
			}
			_, _ = folder.Stat(ctx, name)
			_, _ = folder.List(ctx, name)
		}
		if another, err := w.files.Folder(ctx, w.work); err == nil {
			another.Close()
		}
		if another, err := w.view.Folder(ctx); err == nil {
			another.Close()
		}
	}
	round(t.Context())
	require.NoError(t, w.files.Wait(t.Context()))
	before, goroutines := open(), runtime.NumGoroutine()
	for i := range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%30)*10*time.Microsecond)
		round(ctx)
		cancel()
		round(t.Context())
	}
	require.NoError(t, w.files.Wait(t.Context()))
	require.LessOrEqual(t, open(), before+2)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, time.Minute, time.Millisecond)
}

// While folders are swapped under the walk for a folder outside that has a marker too, no
// project is outside, and none is a link.
func TestProjectWhileFoldersAreSwapped(t *testing.T) {
	for _, target := range []string{"../outside", "other"} {
		t.Run(target, func(t *testing.T) {
			w := newWorld(t, ViewOptions{})
			in := func(name string) string { return filepath.Join(w.work, name) }
			write(t, filepath.Join(w.outside, "d", "go.mod"), "")
			write(t, filepath.Join(w.outside, "d", "x.go"), secretText)
			write(t, in("other/d/go.mod"), "")
			write(t, in("other/d/x.go"), goodText)
			write(t, in("a/d/go.mod"), "")
			write(t, in("a/d/x.go"), goodText)
			real, err := w.files.Root(t.Context(), in("a/d"))
			require.NoError(t, err)
			other, err := w.files.Root(t.Context(), in("other/d"))
			require.NoError(t, err)
			folders := swap{do: func(_ *world, round int) {
				if round%2 == 1 {
					_ = os.Rename(in("a"), in("aside"))
					_ = os.Symlink(target, in("a"))
				} else if round > 0 {
					_ = os.Remove(in("a"))
					_ = os.Rename(in("aside"), in("a"))
				}
			}}
			var good, refused int
			whileSwapped(w, folders, func() {
				for range 20000 {
					_, project, err := w.view.Project(t.Context(), "a/d/x.go", []string{"go.mod"})
					switch {
					case err != nil:
						if seam.CodeOf(err) != seam.CodeSourceRejected {
							t.Errorf("it failed otherwise: %v", err)
							return
						}
						refused++
					case project.Key() == real.Key(), target == "other" && project.Key() == other.Key():
						good++
					default:
						t.Errorf("the project is %s", project.Path())
						return
					}
				}
			})
			require.Positive(t, good, "the folder was there half of the time")
			t.Logf("%d good, %d refused", good, refused)
		})
	}
}

// Markers that are no files are looked at and not opened.
func TestProjectDoesNotOpenMarkers(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, filepath.Join(w.work, "sub", "x.go"), goodText)
	require.NoError(t, syscall.Mkfifo(filepath.Join(w.work, "sub", "go.mod"), 0o644))
	for _, marker := range []string{"go.mod", "go.*"} {
		_, project, err := w.view.Project(t.Context(), "sub/x.go", []string{marker})
		require.NoError(t, err)
		require.Equal(t, filepath.Join(w.work, "sub"), project.Path())
	}
}
