//go:build !wasip1

package wasmsdktest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/navseam/navseam/abi"
)

// What a module imports and exports is what its author's code uses.
func TestModulesAskForWhatTheyUse(t *testing.T) {
	lookAtSources(t)
	hovering := []string{"hover", "hover_range", "language", "message", "path"}
	cases := map[string]struct {
		exports []string
		imports []string
	}{
		"minimal": {[]string{"goToDefinition"}, []string{"language", "locations", "message", "path"}},
		"files":   {[]string{"hover"}, append([]string{"error", "file_close", "file_open"}, hovering...)},
		"http":    {[]string{"hover"}, append([]string{"error", "http_close", "http_headers", "http_request", "http_status"}, hovering...)},
		"cache":   {[]string{"hover"}, append([]string{"cache_get"}, hovering...)},
	}
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer runtime.Close(context.Background())
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			module, err := runtime.CompileModule(t.Context(), buildGuest(t, name))
			require.NoError(t, err)
			defer module.Close(context.Background())

			exports := slices.Sorted(maps.Keys(module.ExportedFunctions()))
			require.Equal(t, append([]string{abi.ExportInitialize}, test.exports...), exports)
			require.Contains(t, module.ExportedMemories(), abi.ExportMemory)

			imports := map[string]bool{}
			for _, function := range module.ImportedFunctions() {
				from, name, _ := function.Import()
				switch from {
				case abi.Module:
					imports[name] = true
				default:
					require.Equal(t, abi.WASI, from)
				}
			}
			require.ElementsMatch(t, test.imports, slices.Collect(maps.Keys(imports)))
		})
	}
}
