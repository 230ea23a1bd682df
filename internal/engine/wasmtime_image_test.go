//go:build wasmtime && cgo

package engine

import (
	"errors"
	"os"
	"runtime"
	"sync"
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
		require.NoError(t, w.image.file.Close())
		w.image.file = nil
	}
	guest := instantiated(t, code, nil)
	stack := []uint64{2, 3}
	require.NoError(t, guest.Call(t.Context(), exportAdd, stack))
	require.Equal(t, uint32(5), uint32(stack[0]))
	require.NoError(t, code.Close())
}

// A load never sees the number of a file that was closed, and given to another.
func TestHammerLoadWhileTheImageIsClosed(t *testing.T) {
	code := module(t, "guest")
	for range 50 {
		compiled, err := Compile(t.Context(), Wasmtime, code, Options{Functions: hostFunctions(), Exports: guestExports(), MemoryPages: 1})
		require.NoError(t, err)
		var loading sync.WaitGroup
		for range 4 {
			loading.Go(func() {
				instance, err := compiled.Instantiate(t.Context(), &record{})
				if err != nil {
					assertClosed(t, err)
					return
				}
				stack := []uint64{2, 3}
				if err := instance.Call(t.Context(), exportAdd, stack); err != nil || uint32(stack[0]) != 5 {
					t.Errorf("2 and 3 are %d: %v", stack[0], err)
				}
				instance.Close()
			})
		}
		require.NoError(t, compiled.Close())
		loading.Wait()
		require.NoError(t, compiled.Close(), "a second time")
	}
}

func assertClosed(t *testing.T, err error) {
	if !errors.Is(err, errClosed) {
		t.Error(err)
	}
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
