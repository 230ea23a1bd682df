package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchView is a view of a workspace that lies as deep as most do, and a source of
// 20 KB three folders down.
func benchView(b *testing.B) (*Files, *View, string) {
	b.Helper()
	dir := filepath.Join(realDir(b), "home", "src", "project")
	file := filepath.Join(dir, "internal", "parts", "one", "source.go")
	require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(b, os.WriteFile(file, []byte(strings.Repeat("line of twenty bytes\n", 1000)), 0o644))
	files := NewFiles(8)
	root, err := files.Root(b.Context(), dir)
	require.NoError(b, err)
	view, err := files.View(b.Context(), root, ViewOptions{MaxBytes: 1 << 20})
	require.NoError(b, err)
	b.Cleanup(view.Close)
	return files, view, file
}

func BenchmarkRoot(b *testing.B) {
	files, view, _ := benchView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := files.Root(b.Context(), view.Root().Path()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	_, view, file := benchView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := view.Read(b.Context(), file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFind looks for the file that BenchmarkRead reads.
func BenchmarkFind(b *testing.B) {
	_, view, file := benchView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := view.Find(b.Context(), file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFolder is what a module pays for a file of 20 KB: open, read whole, close.
func BenchmarkFolder(b *testing.B) {
	files, view, _ := benchView(b)
	folder, err := view.Folder(b.Context())
	require.NoError(b, err)
	defer folder.Close()
	buffer := make([]byte, 32<<10)
	b.ReportAllocs()
	for b.Loop() {
		file, err := folder.Open(b.Context(), "internal/parts/one/source.go")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := file.ReadAt(b.Context(), buffer, 0); err != nil {
			b.Fatal(err)
		}
		file.Close()
	}
	require.NoError(b, files.Wait(b.Context()))
}

// BenchmarkRootAndRead is what every query pays.
func BenchmarkRootAndRead(b *testing.B) {
	files, view, file := benchView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := files.Root(b.Context(), view.Root().Path()); err != nil {
			b.Fatal(err)
		}
		if _, err := view.Read(b.Context(), file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadBare is os.ReadFile of the same file, to compare with.
func BenchmarkReadBare(b *testing.B) {
	_, _, file := benchView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := os.ReadFile(file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnchanged compares one file with the disk; BenchmarkUnchanged16 as many as
// a server keeps open by default.
func BenchmarkUnchanged(b *testing.B)   { benchUnchanged(b, 1) }
func BenchmarkUnchanged16(b *testing.B) { benchUnchanged(b, 16) }

func benchUnchanged(b *testing.B, count int) {
	_, view, file := benchView(b)
	age(b, file)
	source, err := view.Read(b.Context(), file)
	require.NoError(b, err)
	sources := make([]Source, count)
	for i := range sources {
		sources[i] = source
	}
	b.ReportAllocs()
	for b.Loop() {
		view.Unchanged(b.Context(), sources...)
	}
}

func BenchmarkFileURI(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		FileURI("/home/someone/src/a project/internal/parts/ünicode.go")
	}
}

func BenchmarkPathOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := PathOf("file:///home/someone/src/a%20project/internal/parts/%C3%BCnicode.go"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProject is what a query pays for markers: the file lies three folders down, and
// the first one holds a marker. Of the names in the folders a pattern has to look at all.
func BenchmarkProject(b *testing.B) {
	_, view, file := benchView(b)
	require.NoError(b, os.WriteFile(filepath.Join(view.Root().Path(), "internal", "go.mod"), nil, 0o644))
	for range 100 {
		name, err := os.CreateTemp(filepath.Dir(file), "source*.go")
		require.NoError(b, err)
		require.NoError(b, name.Close())
	}
	for _, c := range []struct {
		name    string
		markers []string
	}{
		{"one name", []string{"go.mod"}},
		{"three names", []string{"Cargo.toml", "Cargo.lock", "go.mod"}},
		{"pattern", []string{"go.*"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := view.Project(b.Context(), file, c.markers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
