package wasm_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/navseam/navseam/internal/wasm"
)

func rewrite(t testing.TB, b []byte, r wasm.Rewrite) []byte {
	t.Helper()
	m, err := wasm.Read(b)
	require.NoError(t, err)
	out, err := m.Rewrite(b, r)
	require.NoError(t, err)
	return out
}

func TestRewriteInsertsChecks(t *testing.T) {
	const loop, end = 0x03, 0x0b
	for _, c := range []struct {
		name    string
		locals  int
		in, out []byte
	}{
		{"leaf", 1, []byte{0x01}, []byte{0x01}},
		{"call", 2, []byte{0x10, 0}, []byte{loop, 0x40, end, 0x10, 0}},
		{"loop first", 0, []byte{loop, 0x40, 0x10, 0, end}, []byte{loop, 0x40, 0x10, 0, end}},
		{"blocks before the loop", 0, []byte{2, 0x40, loop, 0x40, end, 0x10, 0, end}, []byte{2, 0x40, loop, 0x40, end, 0x10, 0, end}},
		{
			"a loop that is not always met", 0,
			[]byte{0x41, 0, 4, 0x40, loop, 0x40, end, end, 0x10, 0},
			[]byte{loop, 0x40, end, 0x41, 0, 4, 0x40, loop, 0x40, end, end, 0x10, 0},
		},
		{
			"a loop after a branch", 0,
			[]byte{2, 0x40, 0x41, 0, 0x0d, 0, loop, 0x40, end, end, 0x10, 0},
			[]byte{loop, 0x40, end, 2, 0x40, 0x41, 0, 0x0d, 0, loop, 0x40, end, end, 0x10, 0},
		},
		{
			"bulk in a leaf", 0,
			[]byte{0x41, 1, 0x41, 2, 0x41, 3, 0xfc, 0x0b, 0, 0x41, 1, 0x40, 0, 0x1a},
			[]byte{0x41, 1, 0x41, 2, 0x41, 3, loop, 0x40, end, 0xfc, 0x0b, 0, 0x41, 1, loop, 0x40, end, 0x40, 0, 0x1a},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := function(c.locals, c.in...)
			require.Equal(t, function(c.locals, c.out...), rewrite(t, b, wasm.Rewrite{Entries: true}))
		})
	}
}

func TestRewriteWithoutEntriesStillChecksBulk(t *testing.T) {
	fill := []byte{0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x0b, 0, 0x10, 0}
	want := []byte{0x41, 0, 0x41, 0, 0x41, 0, 0x03, 0x40, 0x0b, 0xfc, 0x0b, 0, 0x10, 0}
	require.Equal(t, function(0, want...), rewrite(t, function(0, fill...), wasm.Rewrite{}))
}

func TestRewriteCapsTables(t *testing.T) {
	tables := func(payload ...byte) []byte { return module(section(4, payload...)) }
	b := tables(3, 0x70, 0, 1, 0x6f, 1, 2, 5, 0x70, 1, 0, 50)
	require.Equal(t, tables(3, 0x70, 1, 1, 20, 0x6f, 1, 2, 5, 0x70, 1, 0, 20), rewrite(t, b, wasm.Rewrite{TableMax: 20}))

	m, err := wasm.Read(b)
	require.NoError(t, err)
	_, err = m.Rewrite(b, wasm.Rewrite{TableMax: 1})
	require.EqualError(t, err, "table 1 has 2 elements: the most is 1")
	_, err = m.Rewrite(b[:len(b)-1], wasm.Rewrite{TableMax: 20})
	require.ErrorContains(t, err, "not the module")
}

func TestRewriteKeepsOnlyNamesThatEnginesCanRead(t *testing.T) {
	custom := func(name string, payload ...byte) []byte {
		return section(0, append(append(sized(nil, len(name)), name...), payload...)...)
	}
	function0 := []byte{1, 4, 1, 0, 1, 'f'} // function 0 is f
	for _, c := range []struct {
		name     string
		in, want []byte
	}{
		{"debug", custom(".debug_info", 1, 2, 3), nil},
		{"functions", custom("name", function0...), custom("name", function0...)},
		{"locals are dropped", custom("name", append(function0, 2, 1, 0)...), custom("name", function0...)},
		{"a count that is too large", custom("name", 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f), nil},
		{"cut off", custom("name", 1, 9, 1), nil},
		{"not UTF-8", custom("name", 1, 4, 1, 0, 1, 0xff), nil},
		{"more than the map", custom("name", 1, 2, 0, 0), nil},
		{"out of order", custom("name", 1, 1, 0, 0, 1, 0), nil},
		{"too large", custom("name", append(sized([]byte{0}, 1<<20+4), append(sized(nil, 1<<20), make([]byte, 1<<20)...)...)...), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, module(c.want), rewrite(t, module(c.in), wasm.Rewrite{}))
		})
	}
	require.Equal(t, 1, bytes.Count(rewrite(t, module(custom("name", function0...), custom("name", function0...)), wasm.Rewrite{}), []byte("name")))
}

// TestRewrittenModulesBehaveAsBefore calls what runs.wat exports.
func TestRewrittenModulesBehaveAsBefore(t *testing.T) {
	b := file(t, "runs.wasm")
	r := wasm.Rewrite{Entries: true, TableMax: 5}
	again := rewrite(t, b, r)
	require.Greater(t, len(again), len(b))
	for _, engine := range engines() {
		for _, code := range [][]byte{b, again} {
			c := start(t, engine, code)
			require.EqualValues(t, 120, c.call("factorial", 5))
			require.EqualValues(t, 15, c.call("indirect", 0))
			require.EqualValues(t, 120, c.call("indirect", 1))
			require.EqualValues(t, 0x07070707, c.call("fill", 7))
			require.EqualValues(t, 3, c.call("grow", 2))
			require.EqualValues(t, 3, c.call("grow", 9))
			require.EqualValues(t, 2, c.call("growTable", 3))
			require.EqualValues(t, 3, c.call("trap", 1))
			_, err := c.Module.ExportedFunction("trap").Call(context.Background(), 0)
			require.ErrorContains(t, err, "divide by zero")
		}
	}
	require.EqualValues(t, -1, int32(start(t, engines()[0], again).call("growTable", 4)), "the new maximum of the table")
}

// TestRewrittenRecursionCanBeInterrupted is why there is a rewriter.
func TestRewrittenRecursionCanBeInterrupted(t *testing.T) {
	code := rewrite(t, file(t, "runs.wasm"), wasm.Rewrite{Entries: true, TableMax: 5})
	for _, engine := range engines() {
		c := start(t, engine, code)
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		_, err := c.Module.ExportedFunction("recurse").Call(ctx, 0)
		var exit *sys.ExitError
		require.ErrorAs(t, err, &exit)
		require.EqualValues(t, sys.ExitCodeDeadlineExceeded, exit.ExitCode())
	}
}

// engines are those of wazero, which can be interrupted.
func engines() []wazero.RuntimeConfig {
	return []wazero.RuntimeConfig{
		wazero.NewRuntimeConfigInterpreter().WithCloseOnContextDone(true),
		wazero.NewRuntimeConfigCompiler().WithCloseOnContextDone(true),
	}
}

type running struct {
	t      *testing.T
	Module api.Module
}

func start(t *testing.T, engine wazero.RuntimeConfig, code []byte) running {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, engine)
	t.Cleanup(func() { require.NoError(t, r.Close(ctx)) })
	module, err := r.Instantiate(ctx, code)
	require.NoError(t, err)
	return running{t, module}
}

func (r running) call(name string, arg uint64) uint64 {
	r.t.Helper()
	results, err := r.Module.ExportedFunction(name).Call(context.Background(), arg)
	require.NoError(r.t, err)
	return results[0]
}
