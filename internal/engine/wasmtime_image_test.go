//go:build wasmtime

package engine

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnImageLoadsFromBytesToo(t *testing.T) {
	code, err := Compile(t.Context(), Wasmtime, module(t, "guest"), Options{
		Functions: hostFunctions(), Exports: guestExports(), MemoryPages: 1,
	})
	require.NoError(t, err)
	w := code.(*wasmtimeCode)
	if w.image.file != nil {
		w.image.bytes, err = os.ReadFile(sealedPath(w.image.file))
		require.NoError(t, err)
		require.NoError(t, w.image.close())
		w.image.file = nil
	}
	guest := instantiated(t, code, nil)
	stack := []uint64{2, 3}
	require.NoError(t, guest.Call(t.Context(), exportAdd, stack))
	require.Equal(t, uint32(5), uint32(stack[0]))
	require.NoError(t, code.Close())
}

func TestASealedFileDoesNotChange(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux seals files")
	}
	file, err := sealedFile([]byte("code"))
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte("x"), 0)
	require.Error(t, err)
	require.Error(t, file.Truncate(0))
	require.Error(t, file.Truncate(100))
	content, err := os.ReadFile(sealedPath(file))
	require.NoError(t, err)
	require.Equal(t, "code", string(content))
}
