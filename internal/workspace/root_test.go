package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// link makes a symbolic link, or skips the test where that needs a privilege.
func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func requireError(t testing.TB, err error, code seam.Code, reason string) *seam.Error {
	t.Helper()
	var coded *seam.Error
	require.ErrorAs(t, err, &coded)
	require.Equal(t, code, coded.Code, coded.Message)
	require.Equal(t, reason, coded.Reason, coded.Message)
	return coded
}

// all spellings of a folder share key, path and URI.
func TestRootIsTheSameForAllSpellings(t *testing.T) {
	dir := realDir(t)
	folder := filepath.Join(dir, "my work")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "sub"), 0o755))
	link(t, "my work", filepath.Join(dir, "relative link"))
	link(t, folder, filepath.Join(dir, "absolute link"))
	link(t, "absolute link", filepath.Join(dir, "link to a link"))
	files := NewFiles(1)
	want, err := files.Root(t.Context(), folder)
	require.NoError(t, err)
	require.Equal(t, folder, want.Path())
	require.Equal(t, FileURI(folder), want.URI())

	for _, spelling := range []string{
		folder + string(filepath.Separator),
		filepath.Join(folder, "sub") + "/..",
		filepath.Join(dir, "relative link"),
		filepath.Join(dir, "absolute link"),
		filepath.Join(dir, "link to a link"),
	} {
		got, err := files.Root(t.Context(), spelling)
		require.NoError(t, err, spelling)
		require.Equal(t, want.Key(), got.Key(), spelling)
		require.Equal(t, want, got, spelling)
	}

	other, err := files.Root(t.Context(), filepath.Join(folder, "sub"))
	require.NoError(t, err)
	require.NotEqual(t, want.Key(), other.Key())
}

// a relative root starts at the base that the host has.
func TestRootOfARelativePath(t *testing.T) {
	dir := realDir(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "work"), 0o755))
	t.Chdir(dir)
	root, err := NewFiles(1).Root(t.Context(), "work")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "work"), root.Path())
}

func TestRootRefuses(t *testing.T) {
	dir := realDir(t)
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	link(t, "nowhere", filepath.Join(dir, "dangling"))
	link(t, "loop", filepath.Join(dir, "loop"))
	link(t, "file", filepath.Join(dir, "link to file"))
	for _, c := range []struct {
		name, dir, reason string
	}{
		{"none", "", seam.ReasonMissing},
		{"A-060 missing", filepath.Join(dir, "missing"), seam.ReasonMissing},
		{"A-060 dangling link", filepath.Join(dir, "dangling"), seam.ReasonMissing},
		{"A-060 file", file, seam.ReasonNotDirectory},
		{"A-060 link to a file", filepath.Join(dir, "link to file"), seam.ReasonNotDirectory},
		{"A-061 links without end", filepath.Join(dir, "loop"), seam.ReasonUnreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewFiles(1).Root(t.Context(), c.dir)
			e := requireError(t, err, seam.CodeWorkspaceRequired, c.reason)
			require.Contains(t, e.Message, filepath.Base(c.dir)[1:], "A-059: the message has the root as given")
			if c.dir != "" {
				require.Error(t, e.Err, "A-059: the cause is kept")
			}
		})
	}
}

// cancellation takes precedence.
func TestRootOfACancelledCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := NewFiles(1).Root(ctx, filepath.Join(t.TempDir(), "missing"))
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
}

func TestViewKeepsTheIdentityOfItsFolder(t *testing.T) {
	dir := filepath.Join(realDir(t), "work")
	files := NewFiles(1)
	file := filepath.Join(dir, "a.go")
	create := func(text string) *Root {
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		root, err := files.Root(t.Context(), dir)
		require.NoError(t, err)
		return root
	}
	first := create("first")
	view, err := files.View(t.Context(), first, ViewOptions{MaxBytes: 100})
	require.NoError(t, err)
	defer view.Close()

	if err := os.Rename(dir, dir+" aside"); err != nil {
		t.Skipf("an open folder cannot be renamed here: %v", err)
	}
	_, err = view.Read(t.Context(), "a.go")
	requireError(t, err, seam.CodeSourceRejected, seam.ReasonMissing)

	second := create("second")
	require.NotEqual(t, first.Key(), second.Key(), "a folder created again is another workspace")
	_, err = view.Read(t.Context(), "a.go")
	e := requireError(t, err, seam.CodeSourceRejected, seam.ReasonUnreadable)
	require.True(t, e.Retryable, "neither the old file nor, through a view of the old folder, the new one")

	_, err = files.View(t.Context(), first, ViewOptions{MaxBytes: 100})
	e = requireError(t, err, seam.CodeWorkspaceRequired, seam.ReasonMissing)
	require.True(t, e.Retryable)

	again, err := files.View(t.Context(), second, ViewOptions{MaxBytes: 100})
	require.NoError(t, err)
	defer again.Close()
	source, err := again.Read(t.Context(), "a.go")
	require.NoError(t, err)
	require.Equal(t, "second", source.Text)
}

func TestAFolderDeletedUnderAViewIsNotTakenForTheNextOne(t *testing.T) {
	dir := filepath.Join(realDir(t), "work")
	files := NewFiles(1)
	for range 20 {
		require.NoError(t, os.Mkdir(dir, 0o755))
		first, err := files.Root(t.Context(), dir)
		require.NoError(t, err)
		view, err := files.View(t.Context(), first, ViewOptions{})
		require.NoError(t, err)
		if err := os.Remove(dir); err != nil {
			view.Close()
			t.Skipf("an open folder cannot be deleted here: %v", err)
		}
		require.NoError(t, os.Mkdir(dir, 0o755))
		second, err := files.Root(t.Context(), dir)
		require.NoError(t, err)
		require.NotEqual(t, first.Key(), second.Key())
		view.Close()
		require.NoError(t, os.Remove(dir))
	}
}

func TestWithin(t *testing.T) {
	at := func(path string) string { return filepath.FromSlash(path) }
	for _, c := range []struct {
		folder, path, rel string
		ok                bool
	}{
		{"/a/b", "/a/b", ".", true},
		{"/a/b", "/a/b/c/d", "c/d", true},
		{"/a/b", "/a/bc", "", false},
		{"/a/b", "/a", "", false},
		{"/short/deeper", "/short", "", false},
		{"/a/b", "/a/b/..c", "..c", true},
		{"/", "/a", "a", true},
		{"/", "/", ".", true},
	} {
		rel, ok := within(at(c.folder), at(c.path))
		require.Equal(t, c.ok, ok, "%s in %s", c.path, c.folder)
		require.Equal(t, at(c.rel), rel, "%s in %s", c.path, c.folder)
	}
}
