package stdio

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// BenchmarkEnter is how a query gets to its space: without root markers, and with them for
// a file two folders below its project.
func BenchmarkEnter(b *testing.B) {
	root, err := filepath.EvalSymlinks(b.TempDir())
	require.NoError(b, err)
	file := filepath.Join(root, "services", "api", "internal", "parts", "x.go")
	require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(b, os.WriteFile(file, nil, 0o600))
	require.NoError(b, os.WriteFile(filepath.Join(root, "services", "api", "go.mod"), nil, 0o600))
	executable, err := os.Executable()
	require.NoError(b, err)
	for _, c := range []struct {
		name    string
		markers []string
	}{
		{"without markers", nil},
		{"one", []string{"go.mod"}},
		{"three", []string{"go.work", "go.mod", ".git"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			pool := NewPool(1)
			provider, err := New(Config{ID: "x", Command: executable, RootMarkers: c.markers}, pool)
			require.NoError(b, err)
			target := seam.Target{FilePath: file, WorkspaceRoot: root}
			warm, _, err := provider.enter(b.Context(), target) // as a live server keeps it
			require.NoError(b, err)
			defer pool.leave(warm)
			b.ReportAllocs()
			for b.Loop() {
				sp, _, err := provider.enter(b.Context(), target)
				if err != nil {
					b.Fatal(err)
				}
				pool.leave(sp)
			}
		})
	}
}
