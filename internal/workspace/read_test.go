package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// world is a workspace, and a folder outside it.
type world struct {
	files           *Files
	root            *Root
	work, outside   string
	good, elsewhere string // one file in each
	view            *View
}

const goodText, secretText = "package good\n", "secret\n"

func newWorld(t testing.TB, o ViewOptions) *world {
	t.Helper()
	dir := realDir(t)
	w := &world{files: NewFiles(4), work: filepath.Join(dir, "shop"), outside: filepath.Join(dir, "outside")}
	w.good, w.elsewhere = filepath.Join(w.work, "good.go"), filepath.Join(w.outside, "secret.go")
	require.NoError(t, os.MkdirAll(filepath.Join(w.work, "sub", "deep"), 0o755))
	require.NoError(t, os.Mkdir(w.outside, 0o755))
	write(t, w.good, goodText)
	write(t, w.elsewhere, secretText)
	var err error
	w.root, err = w.files.Root(t.Context(), w.work)
	require.NoError(t, err)
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 20
	}
	w.view, err = w.files.View(t.Context(), w.root, o)
	require.NoError(t, err)
	t.Cleanup(w.view.Close)
	return w
}

func write(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestReadAccepts(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	file := func(name string) string {
		path := filepath.Join(w.work, filepath.FromSlash(name))
		write(t, path, goodText)
		return path
	}
	deep := file("sub/deep/x.go")
	hidden := file("..hidden/x.go")
	names := []string{"a b.go", "50%.go", "C#.go", "größe.go", "日本/語.go", "[id]/@x+y.go", "a;b,c=d&e.go", "%2F.go", "😀.go"}
	if runtime.GOOS != "windows" {
		names = append(names, "what?.go", `back\slash.go`, "new\nline.go", "a:b.go", "star*.go", `"quoted".go`)
	}
	link(t, "good.go", filepath.Join(w.work, "link.go"))
	link(t, w.good, filepath.Join(w.work, "absolute.go"))
	link(t, "sub", filepath.Join(w.work, "folder"))
	link(t, w.work, filepath.Join(w.outside, "back"))

	type row struct{ name, path, want string }
	rows := []row{
		{"A-064 relative", "good.go", w.good},
		{"A-064 relative, deep", "sub/deep/x.go", deep},
		{"A-064 absolute", w.good, w.good},
		{"A-064 with dots", "./sub/../good.go", w.good},
		{"A-064 out and in again", "../shop/good.go", w.good},
		{"A-064 absolute with dots", w.work + "/sub/deep/../../good.go", w.good},
		{"A-065 link that stays inside", "link.go", w.good},
		{"A-065 absolute link that stays inside", "absolute.go", w.good},
		{"A-065 linked folder", "folder/deep/x.go", deep},
		{"A-065 link from outside into the workspace", filepath.Join(w.outside, "back", "good.go"), w.good},
		{"A-065 name that begins with dots", "..hidden/x.go", hidden},
	}
	for _, name := range names {
		rows = append(rows, row{fmt.Sprintf("A-065 %q", name), name, file(name)})
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			source, err := w.view.Read(t.Context(), r.path)
			require.NoError(t, err)
			require.Equal(t, goodText, source.Text)
			require.Equal(t, r.want, source.Path)
			require.Equal(t, FileURI(r.want), source.URI)
			path, err := PathOf(source.URI)
			require.NoError(t, err)
			require.Equal(t, r.want, path)

			document, err := w.view.Find(t.Context(), r.path)
			require.NoError(t, err)
			name, err := filepath.Rel(w.work, r.want)
			require.NoError(t, err)
			require.Equal(t, Document{Path: r.want, URI: source.URI, Name: filepath.ToSlash(name)}, document)
		})
	}
}

func TestReadRefuses(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	beside := w.work + "-beside" // the root is a prefix of its name
	write(t, filepath.Join(beside, "x.go"), secretText)
	relative, err := filepath.Rel(w.work, w.elsewhere)
	require.NoError(t, err)
	link(t, w.elsewhere, filepath.Join(w.work, "out.go"))
	link(t, relative, filepath.Join(w.work, "out-relative.go"))
	link(t, w.outside, filepath.Join(w.work, "out"))
	link(t, "out.go", filepath.Join(w.work, "out-twice.go"))
	link(t, "nowhere.go", filepath.Join(w.work, "dangling.go"))
	link(t, "loop.go", filepath.Join(w.work, "loop.go"))
	link(t, "sub", filepath.Join(w.work, "folder.go"))

	for _, c := range []struct{ name, path, reason string }{
		{"A-065 link out", "out.go", seam.ReasonOutside},
		{"A-065 relative link out", "out-relative.go", seam.ReasonOutside},
		{"A-065 link to a link out", "out-twice.go", seam.ReasonOutside},
		{"A-065 linked folder outside", "out/secret.go", seam.ReasonOutside},
		{"A-066 the root", "", seam.ReasonNotRegular},
		{"A-066 the root as a dot", ".", seam.ReasonNotRegular},
		{"A-066 the root in full", w.work, seam.ReasonNotRegular},
		{"A-067 absolute", w.elsewhere, seam.ReasonOutside},
		{"A-067 relative", relative, seam.ReasonOutside},
		{"A-067 folder above", "..", seam.ReasonOutside},
		{"A-067 sibling that begins like the root", filepath.Join(beside, "x.go"), seam.ReasonOutside},
		{"A-224 never a source", w.elsewhere, seam.ReasonOutside},
		{"A-068 missing", "missing.go", seam.ReasonMissing},
		{"A-068 missing folder", "missing/x.go", seam.ReasonMissing},
		{"A-068 below a file", "good.go/x.go", seam.ReasonMissing},
		{"A-068 dangling link", "dangling.go", seam.ReasonMissing},
		{"A-068 NUL", "good.go\x00", seam.ReasonMissing},
		{"A-068 folder", "sub", seam.ReasonNotRegular},
		{"A-068 link to a folder", "folder.go", seam.ReasonNotRegular},
		{"A-073 links without end", "loop.go", seam.ReasonUnreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, err := w.view.Read(t.Context(), c.path)
			e := requireError(t, err, seam.CodeSourceRejected, c.reason)
			require.Contains(t, e.Message, strconv.Quote(filepath.Base(filepath.Join(w.work, c.path)))[1:], "A-073: the message has the path")
			require.Zero(t, source)

			document, found := w.view.Find(t.Context(), c.path)
			require.Equal(t, err, found, "Find refuses what Read refuses, with the same words")
			require.Zero(t, document)
		})
	}
}

//
func TestReadOfAFileWithoutPermission(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	require.NoError(t, os.Chmod(w.good, 0))
	if _, err := os.ReadFile(w.good); err == nil {
		t.Skip("this user may read everything")
	}
	_, err := w.view.Read(t.Context(), w.good)
	e := requireError(t, err, seam.CodeSourceRejected, seam.ReasonUnreadable)
	require.ErrorIs(t, e, os.ErrPermission)
	_, found := w.view.Find(t.Context(), w.good)
	require.Equal(t, err, found)
}

//
func TestReadOfACancelledCaller(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{w.good, "missing.go"} {
		_, err := w.view.Read(ctx, path)
		require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
		_, err = w.view.Find(ctx, path)
		require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	}
}

func TestReadOfAClosedView(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	w.view.Close()
	w.view.Close()
	_, err := w.view.Read(t.Context(), w.good)
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
	_, err = w.view.Find(t.Context(), w.good)
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
}

// the exception that the deployment makes.
func TestReadFromSourceRoots(t *testing.T) {
	dir := realDir(t)
	library := filepath.Join(dir, "library")
	write(t, filepath.Join(library, "fmt", "print.go"), goodText)
	write(t, filepath.Join(dir, "library-private", "x.go"), secretText)
	write(t, filepath.Join(dir, "private.go"), secretText)
	link(t, library, filepath.Join(dir, "current"))
	link(t, filepath.Join(dir, "private.go"), filepath.Join(library, "out.go"))
	w := newWorld(t, ViewOptions{SourceRoots: []string{
		filepath.Join(dir, "missing"), "", filepath.Join(dir, "private.go"), filepath.Join(dir, "current"),
	}})

	for _, path := range []string{filepath.Join(library, "fmt", "print.go"), filepath.Join(dir, "current", "fmt", "print.go")} {
		source, err := w.view.Read(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, goodText, source.Text)
		require.Equal(t, filepath.Join(library, "fmt", "print.go"), source.Path)
	}
	for path, reason := range map[string]string{
		filepath.Join(dir, "private.go"):              seam.ReasonOutside,
		filepath.Join(library, "out.go"):              seam.ReasonOutside,
		filepath.Join(dir, "library-private", "x.go"): seam.ReasonOutside,
		filepath.Join(library, "fmt"):                 seam.ReasonNotRegular,
		library:                                       seam.ReasonNotRegular,
		filepath.Join(library, "missing.go"):          seam.ReasonMissing,
		w.elsewhere:                                   seam.ReasonOutside,
	} {
		_, err := w.view.Read(t.Context(), path)
		requireError(t, err, seam.CodeSourceRejected, reason)
	}
}

func TestReadWhileTheViewCloses(t *testing.T) {
	for range 50 {
		w := newWorld(t, ViewOptions{})
		done := make(chan error)
		for range 4 {
			go func() {
				for {
					source, err := w.view.Read(t.Context(), "good.go")
					if err != nil || !strings.HasPrefix(source.Text, "package good") {
						done <- err
						return
					}
				}
			}()
		}
		w.view.Close()
		for range 4 {
			require.Equal(t, seam.CodeDisposed, seam.CodeOf(<-done))
		}
	}
}
