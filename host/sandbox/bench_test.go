package sandbox_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/internal/wasm"
	"github.com/navseam/navseam/seam"
)

// BenchmarkQuery is one query of the smallest module through the provider, beside the bare
// call of the engine under the same kind of context.
func BenchmarkQuery(b *testing.B) {
	for _, name := range sandbox.Engines() {
		b.Run(name+"/bare", func(b *testing.B) { bareCall(b, name, "testdata/modules/echo.wasm", 0) })
		b.Run(name+"/provider", func(b *testing.B) {
			query(b, configOf("testdata/modules/echo.wasm", name), seam.OpGoToDefinition, 1)
		})
	}
}

// BenchmarkManyLocations is a query that hands over 10,000 locations.
func BenchmarkManyLocations(b *testing.B) {
	for _, name := range sandbox.Engines() {
		b.Run(name, func(b *testing.B) {
			query(b, configOf("testdata/modules/many.wasm", name), seam.OpFindReferences, 10_000)
		})
	}
}

func query(b *testing.B, config sandbox.Config, op seam.Operation, want int) {
	provider, err := sandbox.New(b.Context(), config, inMemory{"a.toy": "def area\n"})
	require.NoError(b, err)
	b.Cleanup(func() { closeProvider(b, provider) })
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	at := target("/memory", "a.toy", 0, 4)
	b.ReportAllocs()
	for b.Loop() {
		result, err := seam.Ask(ctx, provider, op, at)
		if err != nil || len(result.(seam.Locations).Items) != want {
			b.Fatal(result, err)
		}
	}
}

// bareCall calls an export with host functions that do nothing.
func bareCall(b *testing.B, name, file string, export int) {
	data, err := sandbox.ReadModule(file)
	require.NoError(b, err)
	m, err := wasm.Read(data)
	require.NoError(b, err)
	data, err = m.Rewrite(data, wasm.Rewrite{Entries: name != engine.Wasmtime, TableMax: 100})
	require.NoError(b, err)
	var functions []engine.Function
	for _, i := range m.Imports {
		functions = append(functions, engine.Function{
			Module: i.Module, Name: i.Name, Signature: i.Signature,
			Call: func(any, []byte, []uint64) error { return nil },
		})
	}
	code, err := engine.Compile(b.Context(), name, data, engine.Options{Functions: functions, Exports: []string{"goToDefinition"}, MemoryPages: 16})
	require.NoError(b, err)
	defer func() { require.NoError(b, code.Close()) }()
	instance, err := code.Instantiate(b.Context(), nil)
	require.NoError(b, err)
	defer instance.Close()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	stack := make([]uint64, 2)
	b.ReportAllocs()
	for b.Loop() {
		stack[0], stack[1] = 0, 4
		if err := instance.Call(ctx, export, stack); err != nil {
			b.Fatal(err)
		}
	}
}
