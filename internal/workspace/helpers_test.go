package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// realDir is a temporary folder under its real path.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

// age makes a file look as if it was written an hour ago. Where the system keeps a
// time of change that no program can set, that stays now.
func age(t testing.TB, path string) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, then, then))
}
