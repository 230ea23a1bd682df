package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func newFolder(t testing.TB, w *world) *Folder {
	t.Helper()
	folder, err := w.files.Folder(t.Context(), w.work)
	require.NoError(t, err)
	t.Cleanup(func() {
		folder.Close()
		require.NoError(t, w.files.Wait(context.Background()))
	})
	return folder
}

// contentOf reads a file of a folder to its end.
func contentOf(ctx context.Context, folder *Folder, name string) (string, error) {
	file, err := folder.Open(ctx, name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var text strings.Builder
	buffer := make([]byte, 5)
	for {
		n, err := file.ReadAt(ctx, buffer, int64(text.Len()))
		text.Write(buffer[:n])
		if errors.Is(err, io.EOF) {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}

func TestFolderAcceptsNames(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, filepath.Join(w.work, "sub", "deep", "x.go"), goodText)
	write(t, filepath.Join(w.work, "..hidden", "größe 50%.go"), goodText)
	link(t, "good.go", filepath.Join(w.work, "link.go"))
	link(t, "../good.go", filepath.Join(w.work, "sub", "up.go"))
	link(t, w.good, filepath.Join(w.work, "absolute.go"))
	link(t, "sub", filepath.Join(w.work, "folder"))
	link(t, w.work, filepath.Join(w.work, "sub", "top"))
	link(t, filepath.Join("..", "shop", "good.go"), filepath.Join(w.work, "out and in.go"))
	folder := newFolder(t, w)
	for _, name := range []string{
		"good.go", "./good.go", "sub/../good.go", "sub//deep/./x.go", "sub/deep/x.go", "..hidden/größe 50%.go",
		"link.go", "sub/up.go", "absolute.go", "folder/deep/x.go", "sub/top/sub/top/good.go", "out and in.go",
	} {
		text, err := contentOf(t.Context(), folder, name)
		require.NoError(t, err, name)
		require.Equal(t, goodText, text, name)
		info, err := folder.Stat(t.Context(), name)
		require.NoError(t, err, name)
		require.Equal(t, KindFile, info.Kind, name)
		require.EqualValues(t, len(goodText), info.Size, name)
	}
	for _, name := range []string{"", ".", "./", "sub/..", "sub", "sub/", "folder", "sub/top"} {
		info, err := folder.Stat(t.Context(), name)
		require.NoError(t, err, name)
		require.Equal(t, KindFolder, info.Kind, name)
		_, err = folder.List(t.Context(), name)
		require.NoError(t, err, name)
	}
}

// Nothing outside is opened, told of or listed, and no error has a path of the machine.
func TestFolderRefusesNames(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	beside := w.work + "-beside" // the folder is a prefix of its name
	write(t, filepath.Join(beside, "x.go"), secretText)
	link(t, w.elsewhere, filepath.Join(w.work, "out.go"))
	link(t, "../outside/secret.go", filepath.Join(w.work, "out-relative.go"))
	link(t, "out.go", filepath.Join(w.work, "out-twice.go"))
	link(t, w.outside, filepath.Join(w.work, "out"))
	link(t, beside, filepath.Join(w.work, "beside"))
	link(t, "..", filepath.Join(w.work, "sub", "up")) // stays inside
	link(t, "..", filepath.Join(w.work, "up"))
	link(t, "nowhere", filepath.Join(w.work, "dangling"))
	link(t, "loop", filepath.Join(w.work, "loop"))
	folder := newFolder(t, w)

	for name, want := range map[string]error{
		"out.go":                      ErrOutside,
		"out-relative.go":             ErrOutside,
		"out-twice.go":                ErrOutside,
		"out":                         ErrOutside,
		"out/secret.go":               ErrOutside,
		"beside/x.go":                 ErrOutside,
		"up":                          ErrOutside,
		"up/outside/secret.go":        ErrOutside,
		"..":                          ErrOutside,
		"../":                         ErrOutside,
		"../outside/secret.go":        ErrOutside,
		"sub/../../outside/secret.go": ErrOutside,
		"../shop/good.go":             ErrOutside, // though it would come in again
		"/":                           ErrOutside,
		"//good.go":                   ErrOutside,
		"/../good.go":                 ErrOutside,
		filepath.ToSlash(w.good):      errAny,
		"good.go\x00":                 fs.ErrInvalid,
		`sub\deep`:                    fs.ErrInvalid,
		`..\outside\secret.go`:        fs.ErrInvalid,
		"not UTF-8 \xff":              fs.ErrInvalid,
		strings.Repeat("x", 4097):     fs.ErrInvalid,
		strings.Repeat("../", 1<<20):  fs.ErrInvalid,
		"missing":                     fs.ErrNotExist,
		"missing/x":                   fs.ErrNotExist,
		"good.go/x":                   fs.ErrNotExist,
		"dangling":                    fs.ErrNotExist,
		"sub/up/missing":              fs.ErrNotExist,
		"loop":                        errAny,
		strings.Repeat("long", 100):   errAny,
		strings.Repeat("a/", 2000):    fs.ErrNotExist,
	} {
		_, openErr := folder.Open(t.Context(), name)
		_, statErr := folder.Stat(t.Context(), name)
		_, listErr := folder.List(t.Context(), name)
		for _, err := range []error{openErr, statErr, listErr} {
			require.Error(t, err, name)
			if want != errAny {
				require.ErrorIs(t, err, want, name)
			}
			require.Less(t, len(err.Error()), 5*maxName, "however long the name")
			if name != filepath.ToSlash(w.good) {
				require.NotContains(t, err.Error(), filepath.Dir(w.work), "no path of the machine")
			}
		}
	}
	for _, name := range []string{"sub", "", "."} {
		_, err := folder.Open(t.Context(), name)
		require.ErrorIs(t, err, ErrNotRegular, name)
	}
	_, err := folder.List(t.Context(), "good.go")
	require.ErrorIs(t, err, ErrNotFolder)
	require.ErrorContains(t, err, `"good.go"`)
}

// errAny is any.
var errAny = errors.New("any")

func TestFolderOfAPathThatIsNone(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	for dir, want := range map[string]error{
		"": fs.ErrInvalid, filepath.Join(w.work, "missing"): fs.ErrNotExist, w.good: ErrNotFolder,
	} {
		_, err := w.files.Folder(t.Context(), dir)
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, dir, "the deployer has to know which")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.files.Folder(ctx, w.work)
	require.ErrorIs(t, err, context.Canceled)
	_, err = w.view.Folder(ctx)
	require.ErrorIs(t, err, context.Canceled)
	w.view.Close()
	_, err = w.view.Folder(t.Context())
	require.ErrorIs(t, err, fs.ErrClosed)
}

// The folder of a view is the one that the view has, whatever its path leads to by now.
func TestFolderOfAView(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	before, err := w.view.Folder(t.Context())
	require.NoError(t, err)
	defer before.Close()
	require.NoError(t, os.Rename(w.work, w.work+"-aside"))
	write(t, w.good, secretText)
	after, err := w.view.Folder(t.Context())
	require.NoError(t, err)
	defer after.Close()
	for _, folder := range []*Folder{before, after} {
		_, err := folder.Open(t.Context(), "good.go")
		require.ErrorIs(t, err, ErrReplaced)
		_, err = folder.Stat(t.Context(), "good.go")
		require.ErrorIs(t, err, ErrReplaced)
		_, err = folder.List(t.Context(), ".")
		require.ErrorIs(t, err, ErrReplaced)
	}

	require.NoError(t, os.RemoveAll(w.work))
	require.NoError(t, os.Rename(w.work+"-aside", w.work))
	w.view.Close()
	for _, folder := range []*Folder{before, after} {
		text, err := contentOf(t.Context(), folder, "good.go")
		require.NoError(t, err, "a folder outlives its view")
		require.Equal(t, goodText, text)
	}
}

func TestFolderThatWasDeleted(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	folder := newFolder(t, w)
	file, err := folder.Open(t.Context(), "good.go")
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, os.RemoveAll(w.work))
	for _, name := range []string{"good.go", "", "sub"} {
		_, err := folder.Open(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = folder.Stat(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = folder.List(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	text := make([]byte, 100)
	n, err := file.ReadAt(t.Context(), text, 0)
	require.NoError(t, err)
	require.Equal(t, goodText, string(text[:n]), "what is open stays readable")
}

func TestFolderThatIsClosed(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	folder := newFolder(t, w)
	file, err := folder.Open(t.Context(), "good.go")
	require.NoError(t, err)
	folder.Close()
	folder.Close()
	for _, name := range []string{"good.go", "missing", ""} {
		_, err := folder.Open(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = folder.Stat(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = folder.List(t.Context(), name)
		require.ErrorIs(t, err, fs.ErrClosed)
	}
	size, err := file.Size(t.Context())
	require.NoError(t, err, "its files are open still")
	require.EqualValues(t, len(goodText), size)
	file.Close()
	file.Close()
	_, err = file.ReadAt(t.Context(), make([]byte, 1), 0)
	require.ErrorIs(t, err, fs.ErrClosed)
	_, err = file.Size(t.Context())
	require.ErrorIs(t, err, fs.ErrClosed)
}

func TestFolderUnderADoneContext(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	folder := newFolder(t, w)
	file, err := folder.Open(t.Context(), "good.go")
	require.NoError(t, err)
	defer file.Close()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, openErr := folder.Open(ctx, "good.go")
	_, statErr := folder.Stat(ctx, "good.go")
	_, listErr := folder.List(ctx, "")
	_, readErr := file.ReadAt(ctx, make([]byte, 1), 0)
	_, sizeErr := file.Size(ctx)
	for _, err := range []error{openErr, statErr, listErr, readErr, sizeErr} {
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

func TestFolderWithoutPermission(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	folder := newFolder(t, w)
	sub := filepath.Join(w.work, "sub")
	require.NoError(t, os.Chmod(w.good, 0))
	require.NoError(t, os.Chmod(sub, 0))
	t.Cleanup(func() { _ = os.Chmod(sub, 0o755) })
	if _, err := os.ReadFile(w.good); err == nil {
		t.Skip("this user may read everything")
	}
	_, err := folder.Open(t.Context(), "good.go")
	require.ErrorIs(t, err, fs.ErrPermission)
	_, err = folder.List(t.Context(), "sub")
	require.ErrorIs(t, err, fs.ErrPermission)
	_, err = folder.Stat(t.Context(), "sub/deep")
	require.ErrorIs(t, err, fs.ErrPermission)
	info, err := folder.Stat(t.Context(), "good.go")
	require.NoError(t, err, "it is not opened")
	require.Equal(t, KindFile, info.Kind)
}

func TestStatTellsSizeAndTime(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	then := time.Unix(1_700_000_000, 0)
	require.NoError(t, os.Chtimes(w.good, then, then))
	info, err := newFolder(t, w).Stat(t.Context(), "good.go")
	require.NoError(t, err)
	require.EqualValues(t, len(goodText), info.Size)
	require.True(t, then.Equal(info.ModTime))
}
