package wasm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/navseam/navseam/internal/wasm"
)

func seeds(f *testing.F) {
	f.Add(file(f, "every.wasm"))
	f.Add(file(f, "runs.wasm"))
	f.Add(function(2, 0x10, 0))
	f.Add(function(1, 0x20, 0, 4, 0x40, 3, 0x40, 0x0b, 5, 0x0b))
	f.Add(module(section(4, 1, 0x70, 0, 1), section(9, 1, 1, 0, 1, 0), section(11, 1, 1, 1, 7)))
	f.Add(module(section(0, append([]byte("\x04name"), 1, 4, 1, 0, 1, 'f')...)))
	f.Add(module(section(0, append([]byte("\x04name"), 1, 4, 0xff, 0xff, 0xff, 0x7f)...))) // says that it has 268 million
}

// FuzzRead: whatever is read can be compared with budgets and written, and reads again as
// what it was.
func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := wasm.Read(b)
		if err != nil {
			var format *wasm.FormatError
			require.ErrorAs(t, err, &format)
			return
		}
		m.Excesses(wasm.DefaultBudgets())
		for _, e := range m.Exports {
			m.Function(e.Name)
		}
		out, err := m.Rewrite(b, wasm.Rewrite{Entries: true, TableMax: 1000})
		if err != nil {
			return
		}
		again, err := wasm.Read(out)
		require.NoError(t, err)
		require.Equal(t, m.Exports, again.Exports)
		require.Equal(t, m.Imports, again.Imports)
		require.Len(t, again.Functions, len(m.Functions))
		for i := range again.Functions {
			before, after := &m.Functions[i], &again.Functions[i]
			require.Equal(t, before.Calls, after.Calls)
			require.Equal(t, before.Bulk, after.Bulk)
			require.True(t, after.Checked || after.Calls == 0)
		}
	})
}

// FuzzRewrite: what an engine compiles it compiles as well when it is rewritten, and the
// functions return and trap as before.
func FuzzRewrite(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := wasm.Read(b)
		if err != nil || len(m.Features) > 0 || len(m.Imports) > 0 || len(m.Excesses(modest())) > 0 {
			return
		}
		for _, engine := range engines() {
			engine = engine.WithMemoryLimitPages(16)
			before := attempt(t, engine, withoutCustom(b))
			if before == nil {
				continue // not valid, for this engine
			}
			code, err := m.Rewrite(b, wasm.Rewrite{Entries: true, TableMax: 100_000})
			require.NoError(t, err)
			after := attempt(t, engine, code)
			require.NotNil(t, after, "the rewritten module does not compile")
			compare(t, before, after)
		}
	})
}

// withoutCustom drops the custom sections of a module that can be read. They mean nothing to
// its behaviour, but engines allocate what a "name" section says that it has.
func withoutCustom(b []byte) []byte {
	const header = 8
	out := slices.Clone(b[:header])
	for rest := b[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		end := 1 + n + int(size)
		if rest[0] != 0 {
			out = append(out, rest[:end]...)
		}
		rest = rest[end:]
	}
	return out
}

func modest() wasm.Budgets {
	b := wasm.DefaultBudgets()
	b.ModuleBytes, b.Work, b.WorkPerByte, b.TableElements = 1<<16, 1e8, 0, 10_000
	return b
}

// guest is a module that compiled, before its start function runs.
type guest struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

func attempt(t *testing.T, engine wazero.RuntimeConfig, b []byte) *guest {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, engine)
	t.Cleanup(func() { require.NoError(t, r.Close(ctx)) })
	code, err := r.CompileModule(ctx, b)
	if err != nil {
		return nil
	}
	return &guest{r, code}
}

// compare runs both. The rewritten module goes first: it can be interrupted, and what it
// does not end in time is not asked of the other.
func compare(t *testing.T, before, after *guest) {
	changed, late, problem := after.start()
	if late {
		return
	}
	original, _, expected := before.start()
	if overflow(problem, expected) {
		return
	}
	require.Equal(t, expected, problem)
	if problem != "" {
		return
	}
	for name, definition := range before.code.ExportedFunctions() {
		args := make([]uint64, 2*len(definition.ParamTypes())) // a vector takes two
		for i := range args {
			args[i] = uint64(i + 1)
		}
		args = args[:len(args)-words(definition.ParamTypes())]
		got, late, problem := call(changed, name, args)
		if late {
			return
		}
		want, _, expected := call(original, name, args)
		if overflow(problem, expected) {
			return
		}
		require.Equal(t, expected, problem, name)
		require.Equal(t, want, got, name)
	}
}

// words counts the parameters that take one word and not two.
func words(types []api.ValueType) int {
	n := 0
	for _, t := range types {
		if t != 0x7b {
			n++
		}
	}
	return n
}

// overflow reports whether the stack ended: where it does is the engine's affair.
func overflow(problems ...string) bool {
	for _, p := range problems {
		if strings.Contains(p, "stack overflow") {
			return true
		}
	}
	return false
}

func (g *guest) start() (module api.Module, late bool, problem string) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	module, err := g.runtime.InstantiateModule(ctx, g.code, wazero.NewModuleConfig().WithStartFunctions())
	late, problem = failure(err)
	return module, late, problem
}

func call(m api.Module, name string, args []uint64) (results []uint64, late bool, problem string) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	results, err := m.ExportedFunction(name).Call(ctx, args...)
	late, problem = failure(err)
	return results, late, problem
}

// failure returns the first line of an error: the stack follows it, with offsets.
func failure(err error) (late bool, problem string) {
	if err == nil {
		return false, ""
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == sys.ExitCodeDeadlineExceeded {
		return true, ""
	}
	problem, _, _ = strings.Cut(err.Error(), "\n")
	return false, problem
}
