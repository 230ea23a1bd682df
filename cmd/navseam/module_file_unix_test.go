//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody writes into the FIFO: a read would wait for ever.
func TestReadModuleDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo.wasm")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := readModule(path)
	require.ErrorContains(t, err, "no regular file")
	_, err = readModule("/dev/zero")
	require.ErrorContains(t, err, "no regular file")
}
