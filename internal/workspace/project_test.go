package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestProject(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	in := func(name string) string { return filepath.Join(w.work, filepath.FromSlash(name)) }
	for _, name := range []string{
		"sub/go.mod", "sub/x.go", "sub/deep/x.go", "sub/deep/er/x.go", "sub/deep/er/Cargo.toml",
		"folder/.git/config", "folder/x.go", "app/my.csproj", "app/src/x.go", "go.mod.d/x.go", "plain/x.go",
	} {
		write(t, in(name), goodText)
	}
	link(t, in("sub/deep/x.go"), in("link.go"))
	link(t, "missing", in("folder/dangling.toml"))
	link(t, "sub", in("linked"))
	link(t, w.elsewhere, in("plain/outside.toml"))

	for _, c := range []struct {
		name    string
		file    string
		markers []string
		want    string // relative to the root
	}{
		{"in the file's own folder", "sub/x.go", []string{"go.mod"}, "sub"},
		{"above it", "sub/deep/er/x.go", []string{"go.mod"}, "sub"},
		{"the nearest of several", "sub/deep/er/x.go", []string{"go.mod", "Cargo.toml"}, "sub/deep/er"},
		{"whatever their order", "sub/deep/er/x.go", []string{"Cargo.toml", "go.mod"}, "sub/deep/er"},
		{"none", "plain/x.go", []string{"go.mod"}, "."},
		{"a file of the root", "good.go", []string{"good.go"}, "."},
		{"no part of a name", "go.mod.d/x.go", []string{"go.mod"}, "."},
		{"a folder", "folder/x.go", []string{".git"}, "folder"},
		{"a pattern", "app/src/x.go", []string{"*.csproj"}, "app"},
		{"a pattern beside a name", "app/src/x.go", []string{"go.mod", "*.sln", "m?.cspro[j]"}, "app"},
		{"a pattern that nothing matches", "app/src/x.go", []string{"*.vcxproj"}, "."},
		{"a name is no pattern", "app/src/x.go", []string{".csproj"}, "."},
		{"the real path of a linked file counts", "link.go", []string{"go.mod"}, "sub"},
		{"and that of a linked folder", "linked/deep/x.go", []string{"go.mod"}, "sub"},
		{"a marker that is a link, out of the workspace", "plain/x.go", []string{"outside.toml"}, "plain"},
		{"or to nothing", "folder/x.go", []string{"dangling.toml"}, "folder"},
		{"an absolute path", in("sub/x.go"), []string{"go.mod"}, "sub"},
		{"a spelling", "plain/../sub/./x.go", []string{"go.mod"}, "sub"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, project, err := w.view.Project(t.Context(), c.file, c.markers)
			require.NoError(t, err)
			source, err := w.view.Read(t.Context(), c.file)
			require.NoError(t, err)
			require.Equal(t, source.Path, path)
			want, err := w.files.Root(t.Context(), in(c.want))
			require.NoError(t, err)
			require.Equal(t, want, project)
		})
	}
}

// A marker counts from the moment that it is there, until it is gone.
func TestProjectFollowsTheDisk(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	file, marker := filepath.Join(w.work, "sub", "deep", "x.go"), filepath.Join(w.work, "sub", "go.mod")
	write(t, file, goodText)
	project := func() *Root {
		_, project, err := w.view.Project(t.Context(), file, []string{"go.mod"})
		require.NoError(t, err)
		return project
	}
	require.Same(t, w.root, project())
	write(t, marker, "")
	first := project()
	require.Equal(t, filepath.Join(w.work, "sub"), first.Path())
	require.NoError(t, os.Remove(marker))
	require.Same(t, w.root, project())

	// A folder that takes the place of another is another project.
	require.NoError(t, os.Rename(filepath.Join(w.work, "sub"), filepath.Join(w.work, "old")))
	write(t, file, goodText)
	write(t, marker, "")
	require.Equal(t, first.Path(), project().Path())
	require.NotEqual(t, first.Key(), project().Key())
}

// What may not be read has no project, and is refused as by Read.
func TestProjectRefusesWhatReadRefuses(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	link(t, w.elsewhere, filepath.Join(w.work, "out.go"))
	link(t, w.outside, filepath.Join(w.work, "out"))
	write(t, filepath.Join(w.outside, "go.mod"), "")
	for _, file := range []string{w.elsewhere, "out.go", "out/secret.go", "../outside/secret.go", "missing.go", "sub/missing/x.go", "good.go/x.go", "a\x00b"} {
		_, _, err := w.view.Project(t.Context(), file, []string{"go.mod"})
		_, want := w.view.Read(t.Context(), file)
		require.EqualError(t, err, want.Error(), file)
		require.Equal(t, seam.AsError(want).Reason, seam.AsError(err).Reason)
	}
	w.view.Close()
	write(t, filepath.Join(w.work, "sub", "x.go"), goodText)
	_, _, err := w.view.Project(t.Context(), "sub/x.go", []string{"go.mod"})
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))

	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = w.view.Project(done, "good.go", nil)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
}

// A file outside the workspace belongs to the project that led to it last, as that is now.
func TestProjectOfAFileOutside(t *testing.T) {
	library := realDir(t)
	w := newWorld(t, ViewOptions{SourceRoots: []string{library}})
	inLibrary := filepath.Join(library, "x.go")
	write(t, inLibrary, goodText)
	write(t, filepath.Join(library, "go.mod"), "")
	for _, folder := range []string{"one", "two/half"} {
		write(t, filepath.Join(w.work, folder, "go.mod"), "")
		write(t, filepath.Join(w.work, folder, "x.go"), goodText)
	}
	write(t, filepath.Join(w.work, "two", "go.mod"), "")
	of := func(file string) *Root {
		_, project, err := w.view.Project(t.Context(), file, []string{"go.mod"})
		require.NoError(t, err)
		return project
	}
	one, half := of("one/x.go"), of("two/half/x.go")

	require.Same(t, w.root, of(inLibrary), "nobody led to it; the markers around it do not count")
	for _, file := range []string{inLibrary, w.elsewhere} {
		uri := FileURI(file)
		w.view.Allow(t.Context(), one, uri)
		require.Equal(t, one, of(file))
		w.view.Allow(t.Context(), half, uri, uri)
		require.Equal(t, half, of(file), "the last one")
		w.view.Allow(t.Context(), w.root, uri)
		require.Same(t, w.root, of(file))
		w.view.Allow(t.Context(), half, uri)
	}
	require.NoError(t, os.Remove(filepath.Join(half.Path(), "go.mod")))
	require.Equal(t, filepath.Join(w.work, "two"), of(w.elsewhere).Path(), "its project is a part of that one now")
	require.NoError(t, os.RemoveAll(filepath.Join(w.work, "two")))
	require.Same(t, w.root, of(w.elsewhere), "its project is gone")
}
