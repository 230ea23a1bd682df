package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadModule(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.wasm")
	require.NoError(t, os.WriteFile(path, []byte("bytes"), 0o600))
	data, err := readModule(path)
	require.NoError(t, err)
	require.Equal(t, "bytes", string(data))
}

func TestReadModuleRefuses(t *testing.T) {
	folder := t.TempDir()
	huge := filepath.Join(folder, "huge.wasm")
	require.NoError(t, os.WriteFile(huge, nil, 0o600))
	require.NoError(t, os.Truncate(huge, maxModuleBytes+1)) // sparse, where there is such a thing
	for path, why := range map[string]string{
		huge:                          "more than 67108864 bytes",
		folder:                        "it is a folder",
		os.DevNull:                    "no regular file",
		filepath.Join(folder, "gone"): "there is no file",
		"":                            "there is no file",
	} {
		_, err := readModule(path)
		require.ErrorContains(t, err, why, path)
		require.Equal(t, statusUsage, exitStatus(err))
	}
}
