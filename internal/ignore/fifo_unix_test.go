//go:build unix

package ignore

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody writes to the other end, and nobody is waited for.
func TestFIFO(t *testing.T) {
	r := repositoryOf(t, map[string]string{"a": ""})
	require.NoError(t, syscall.Mkfifo(filepath.Join(r.root, ".gitignore"), 0o600))
	require.False(t, r.ignores(".", "a"))
}
