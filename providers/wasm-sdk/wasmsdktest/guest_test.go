//go:build !wasip1

package wasmsdktest

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/navseam/navseam/abi"
)

// buildGuest makes a module as the documentation says.
func buildGuest(t testing.TB, name string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".wasm")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", file,
		"../testdata/guests/"+name)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, string(output))
	module, err := os.ReadFile(file)
	require.NoError(t, err)
	return module
}

// lookAtSources makes the cache of go test forget an earlier run when a source has changed.
func lookAtSources(t testing.TB) {
	t.Helper()
	for _, folder := range []string{"..", "../../../seam", "../../../abi"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			_, err = os.Stat(path)
			return err
		}))
	}
}

// code is a compiled guest, for instances of any number of hosts.
type code struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

func compile(t testing.TB, config wazero.RuntimeConfig, module []byte) *code {
	t.Helper()
	ctx := context.Background()
	c := &code{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	_, err := wasi_snapshot_preview1.Instantiate(ctx, c.runtime)
	require.NoError(t, err)
	builder := c.runtime.NewHostModuleBuilder(abi.Module)
	table := abi.Functions()
	for i, function := range hostFunctions() {
		builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(
			func(_ context.Context, m api.Module, stack []uint64) {
				result := function(memory{m.Memory()}, stack)
				if len(table[i].Signature.Results) > 0 {
					stack[0] = result
				}
			},
		), valueTypes(table[i].Signature.Params), valueTypes(table[i].Signature.Results)).Export(table[i].Name)
	}
	_, err = builder.Instantiate(ctx)
	require.NoError(t, err)
	c.module, err = c.runtime.CompileModule(ctx, module)
	require.NoError(t, err)
	return c
}

func valueTypes(types []abi.ValueType) []api.ValueType {
	all := make([]api.ValueType, len(types))
	for i, t := range types {
		all[i] = api.ValueType(t)
	}
	return all
}

// guestInstance is one instance, which its calls share.
type guestInstance struct {
	module api.Module
	stderr bytes.Buffer
	err    error // of the last call
}

func (c *code) instantiate(t testing.TB) *guestInstance {
	t.Helper()
	g := &guestInstance{}
	var err error
	g.module, err = c.runtime.InstantiateModule(context.Background(), c.module, wazero.NewModuleConfig().
		WithName(t.Name()).WithStartFunctions("_initialize").WithStderr(&g.stderr).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.module.Close(context.Background())) })
	return g
}

// export is an exported function as [Host.Ask] wants it. An instance that ended answers -1.
func (g *guestInstance) export(name string) func(line, character uint32) int32 {
	return func(line, character uint32) int32 { return g.run(name, uint64(line), uint64(character)) }
}

func (g *guestInstance) load() int32 { return g.run("load") }

func (g *guestInstance) run(name string, args ...uint64) int32 {
	var results []uint64
	results, g.err = g.module.ExportedFunction(name).Call(context.Background(), args...)
	if g.err != nil {
		return -1
	}
	return int32(uint32(results[0]))
}
