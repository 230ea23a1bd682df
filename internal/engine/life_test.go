package engine

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// closedCode is a Code that was made too late.
type closedCode struct {
	Code
	closed bool
}

func (c *closedCode) Close() error { c.closed = true; return nil }

func TestACompileThatIsGivenUpEndsAndIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		late := &closedCode{}
		start := time.Now()
		_, ended, err := await(ctx, func() (Code, error) {
			time.Sleep(time.Minute)
			return late, nil
		})
		require.ErrorIs(t, err, ErrInterrupted)
		require.Equal(t, time.Second, time.Since(start))
		<-ended
		require.True(t, late.closed)
	})
}

func TestACompileThatIsGivenUpOnARealEngine(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := module(t, "guest")
		ctx, cancel := context.WithCancel(t.Context())
		_, ended, err := await(ctx, func() (Code, error) {
			cancel()
			return compileNow(engine, code, Options{Functions: hostFunctions(), MemoryPages: 16})
		})
		require.NotNil(t, ended)
		<-ended
		if err != nil { // both ends are ready, so either may win
			require.ErrorIs(t, err, ErrInterrupted)
		}
	})
}

// round uses everything once: a call, a host fault, an interrupt. folder is for the cache.
func round(t *testing.T, engine, folder string) {
	code, err := Compile(t.Context(), engine, module(t, "guest"), Options{
		Functions: hostFunctions(), Exports: guestExports(), MemoryPages: 16, CacheDir: folder,
	})
	require.NoError(t, err)
	call := func(ctx context.Context, export int, want error) {
		guest, err := code.Instantiate(ctx, &record{fail: func() error { return errHost }})
		require.NoError(t, err)
		require.ErrorIs(t, guest.Call(ctx, export, make([]uint64, 4)), want)
		guest.Close()
	}
	call(t.Context(), exportSum, nil)
	call(t.Context(), exportFail, errHost)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
	defer cancel()
	guest, err := code.Instantiate(t.Context(), nil)
	require.NoError(t, err)
	require.ErrorIs(t, guest.Call(ctx, exportLoop, nil), ErrInterrupted)
	guest.Close()
	require.NoError(t, code.Close())
}

func TestNoGoroutineIsLeft(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		before := runtime.NumGoroutine()
		for range 10 {
			round(t, engine, "")
		}
		require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, 10*time.Second, 10*time.Millisecond,
			"Eventually has one of its own")
	})
}

func TestMemoryIsGivenBack(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred rounds of compiling")
	}
	onEach(t, func(t *testing.T, engine string) {
		folder := filepath.Join(t.TempDir(), "cache")
		rounds := func(n int) {
			for range n {
				round(t, engine, "")
				round(t, engine, folder)
			}
		}
		rounds(20)
		heap, process := memoryInUse(t)
		rounds(100)
		// A round that kept one of its three instances would cost 64 KiB: 12 MiB in 200.
		heapAfter, processAfter := memoryInUse(t)
		require.Less(t, heapAfter, heap+4<<20)
		require.Less(t, processAfter, process+16<<20)
	})
}

// memoryInUse is what is in use of Go's heap, and what the whole process has: compiled code
// and all of wasmtime lie outside the heap.
func memoryInUse(t *testing.T) (heap, process int64) {
	for range 3 { // finalizers free what has finalizers
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	heap = int64(stats.HeapAlloc)

	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return heap, 0 // not Linux
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	require.NoError(t, err)
	return heap, pages * int64(os.Getpagesize())
}

func TestCodeThatIsClosedUnderItsInstances(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code, err := Compile(t.Context(), engine, module(t, "guest"), Options{
			Functions: hostFunctions(), Exports: guestExports(), MemoryPages: 16,
		})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		idle, err := code.Instantiate(t.Context(), &record{})
		require.NoError(t, err)
		busy, err := code.Instantiate(t.Context(), &record{})
		require.NoError(t, err)

		ended := make(chan error)
		go func() { ended <- busy.Call(ctx, exportLoop, nil) }()
		time.Sleep(20 * time.Millisecond)
		require.NoError(t, code.Close())
		runtime.GC()
		require.Error(t, <-ended)
		busy.Close()
		_ = idle.Call(t.Context(), exportAdd, make([]uint64, 2))
		idle.Close()
	})
}

func TestHammerInstancesOfOneCode(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		var wait sync.WaitGroup
		for worker := range 8 {
			wait.Go(func() {
				for n := range 20 {
					r := &record{fail: func() error { return errHost }}
					guest, err := code.Instantiate(t.Context(), r)
					if err != nil {
						t.Error(err)
						return
					}
					stack := []uint64{uint64(worker), uint64(n), 0, 0}
					if err := guest.Call(t.Context(), exportPeek, stack); err != nil || uint32(stack[0]) != uint32(n) {
						t.Error(err, stack[0], n)
					}
					// The end of the context meets the end of the call.
					ctx, cancel := context.WithCancel(t.Context())
					go cancel()
					_ = guest.Call(ctx, exportAdd, stack)
					guest.Close()
				}
			})
		}
		wait.Wait()
	})
}

func TestACallAllocatesOneThingMoreThanTheEngine(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, engine := range []string{Wazero, Interpreter} {
		guest := instantiated(t, compiled(t, engine, "guest", guestExports()...), nil)
		stack := []uint64{1, 2}
		require.NoError(t, guest.Call(ctx, exportAdd, stack))
		bare := bareCall(guest, exportAdd)
		engines := leastAllocs(func() { _ = bare(ctx, stack) })
		ours := leastAllocs(func() { _ = guest.Call(ctx, exportAdd, stack) })
		require.LessOrEqual(t, ours, engines+1, engine)
	}
}

// leastAllocs takes the least of some runs: a call starts a goroutine of wazero, for which the
// runtime may have to make room.
func leastAllocs(call func()) float64 {
	least := testing.AllocsPerRun(100, call)
	for range 20 {
		least = min(least, testing.AllocsPerRun(100, call))
	}
	return least
}
