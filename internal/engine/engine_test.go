package engine

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/abi"
)

var errHost = errors.New("the host function's own error")

// record is the env of the tests' instances: what the host functions were called with.
type record struct {
	args [4]uint64
	peek byte
	fail func() error
}

func signature(results []abi.ValueType, params ...abi.ValueType) abi.Signature {
	return abi.Signature{Params: params, Results: results}
}

func hostFunctions() []Function {
	return []Function{
		{"host", "sum", signature([]abi.ValueType{abi.I64}, abi.I32, abi.I64, abi.F32, abi.F64), func(env any, _ []byte, stack []uint64) error {
			r := env.(*record)
			copy(r.args[:], stack)
			stack[0] = uint64(int64(int32(stack[0])) + int64(stack[1]) +
				int64(math.Float32frombits(uint32(stack[2]))) + int64(math.Float64frombits(stack[3])))
			return nil
		}},
		{"host", "peek", signature([]abi.ValueType{abi.I32}, abi.I32), func(env any, memory []byte, stack []uint64) error {
			r := env.(*record)
			r.args[0] = stack[0]
			r.peek = memory[uint32(stack[0])]
			stack[0] = 0xabcd<<32 | uint64(r.peek) // the upper half is ignored
			return nil
		}},
		{"host", "fail", signature(nil), func(env any, _ []byte, _ []uint64) error {
			return env.(*record).fail()
		}},
	}
}

func guestExports() []string {
	return []string{"add", "nothing", "float", "sum", "peek", "grow", "fail", "loop", "recurse", "tree", "wrap", "missing"}
}

const (
	exportAdd = iota
	exportNothing
	exportFloat
	exportSum
	exportPeek
	exportGrow
	exportFail
	exportLoop
	exportRecurse
	exportTree
	exportWrap
	exportMissing
)

func module(t testing.TB, name string) []byte {
	t.Helper()
	code, err := os.ReadFile(filepath.Join("testdata", name+".wasm"))
	require.NoError(t, err)
	return code
}

func compiled(t testing.TB, engine, name string, exports ...string) Code {
	t.Helper()
	code, err := Compile(t.Context(), engine, module(t, name), Options{
		Functions: hostFunctions(), Exports: exports, MemoryPages: 16,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, code.Close()) })
	return code
}

func instantiated(t testing.TB, code Code, env any) Instance {
	t.Helper()
	instance, err := code.Instantiate(t.Context(), env)
	require.NoError(t, err)
	t.Cleanup(instance.Close)
	return instance
}

// onEach runs a test on every engine of this build.
func onEach(t *testing.T, test func(t *testing.T, engine string)) {
	for _, engine := range Names() {
		t.Run(engine, func(t *testing.T) { test(t, engine) })
	}
}

func TestArgumentsAndResults(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		r := &record{}
		guest := instantiated(t, compiled(t, engine, "guest", guestExports()...), r)

		stack := make([]uint64, 8)
		minus := int32(-5)
		stack[0], stack[1] = uint64(uint32(minus)), 3
		require.NoError(t, guest.Call(t.Context(), exportAdd, stack))
		require.Equal(t, int32(-2), int32(stack[0]))

		require.NoError(t, guest.Call(t.Context(), exportNothing, nil))

		stack[0] = math.Float64bits(-1.25)
		require.NoError(t, guest.Call(t.Context(), exportFloat, stack))
		require.Equal(t, -2.5, math.Float64frombits(stack[0]))

		stack[0], stack[1] = uint64(uint32(minus)), math.MaxUint32
		stack[2], stack[3] = uint64(math.Float32bits(2)), math.Float64bits(-7)
		require.NoError(t, guest.Call(t.Context(), exportSum, stack))
		require.Equal(t, int64(math.MaxUint32)-10, int64(stack[0]))
		require.Equal(t, [4]uint64{math.MaxUint32 - 4, math.MaxUint32, uint64(math.Float32bits(2)), math.Float64bits(-7)}, r.args,
			"an i32 comes with its upper half zero")
	})
}

func TestTheUpperHalfOfAWordIsNoPartOfIt(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		r := &record{}
		guest := instantiated(t, compiled(t, engine, "guest", guestExports()...), r)
		stack := []uint64{0xdead_beef_0000_0007}
		require.NoError(t, guest.Call(t.Context(), exportWrap, stack))
		require.Equal(t, uint64(7), r.args[0], "an argument of the host")
		require.Equal(t, uint64(1), stack[0], "the result of the host, 0, was that for the guest too")
	})
}

func TestAMissingExportIsAnErrorAndNoPanic(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		guest := instantiated(t, compiled(t, engine, "guest", guestExports()...), &record{})
		err := guest.Call(t.Context(), exportMissing, nil)
		require.ErrorContains(t, err, `"missing"`)
	})
}

func TestMemoryGrowsToItsLimitAndTheHostSeesIt(t *testing.T) {
	const page = 1 << 16
	onEach(t, func(t *testing.T, engine string) {
		r := &record{}
		guest := instantiated(t, compiled(t, engine, "guest", guestExports()...), r)
		require.Equal(t, page, guest.MemorySize())

		stack := []uint64{15, 0}
		require.NoError(t, guest.Call(t.Context(), exportGrow, stack))
		require.Equal(t, uint32(1), uint32(stack[0]), "the size before")
		require.Equal(t, 16*page, guest.MemorySize())

		stack[0], stack[1] = 16*page-1, 77
		require.NoError(t, guest.Call(t.Context(), exportPeek, stack))
		require.Equal(t, byte(77), r.peek, "the memory of after it grew")
		require.Equal(t, byte(77), byte(stack[0]))

		stack[0] = 1
		require.NoError(t, guest.Call(t.Context(), exportGrow, stack))
		require.Equal(t, int32(-1), int32(stack[0]), "16 pages are the limit")
	})
}

func TestAModuleWithoutMemory(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		guest := instantiated(t, compiled(t, engine, "no_memory", "fail"), &record{fail: func() error { return nil }})
		require.NoError(t, guest.Call(t.Context(), 0, nil))
		require.Zero(t, guest.MemorySize())
	})
}

func TestInstancesShareNothing(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		r1, r2 := &record{}, &record{}
		first, second := instantiated(t, code, r1), instantiated(t, code, r2)

		require.NoError(t, first.Call(t.Context(), exportPeek, []uint64{100, 1}))
		require.NoError(t, second.Call(t.Context(), exportPeek, []uint64{101, 2}))
		require.Equal(t, byte(1), r1.peek)
		require.Equal(t, byte(2), r2.peek)
	})
}

func TestTheStartFunctionHasItsHost(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		r := &record{}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		code := compiled(t, engine, "start_host", "seen")
		guest, err := code.Instantiate(ctx, r)
		require.NoError(t, err)
		defer guest.Close()
		require.Equal(t, byte('*'), r.peek)

		stack := []uint64{0}
		require.NoError(t, guest.Call(ctx, 0, stack))
		require.Equal(t, uint32('*'), uint32(stack[0]))
	})
}

func TestUnknownEngines(t *testing.T) {
	_, err := Compile(t.Context(), "v8", module(t, "guest"), Options{})
	require.ErrorContains(t, err, Wazero)
	require.ErrorContains(t, err, Interpreter)

	if !hasWasmtime {
		_, err = Compile(t.Context(), Wasmtime, module(t, "guest"), Options{})
		require.ErrorContains(t, err, "-tags wasmtime")
		require.ErrorContains(t, err, "CGO_ENABLED=1")
	}
}

func TestWhatDoesNotCompile(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		for name, code := range map[string][]byte{
			"empty":            nil,
			"no module":        []byte("hello"),
			"cut off":          module(t, "guest")[:200],
			"memory too large": module(t, "memory_large"),
		} {
			_, err := Compile(t.Context(), engine, code, Options{MemoryPages: 16, CacheDir: t.TempDir()})
			require.ErrorContains(t, err, engine+": compile: ", name)
		}
	})
}

func TestAMissingImportFailsAtInstantiate(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "missing_import")
		_, err := code.Instantiate(t.Context(), nil)
		require.ErrorContains(t, err, "no such function")
		var trap *Trap
		require.False(t, errors.As(err, &trap))
	})
}
