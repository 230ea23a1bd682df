// Package extism_test compares a question to a module through navseam with the same echo
// through extism, whose modules take and give bytes: JSON here, as usual. It is a module of
// its own, so that navseam does not depend on extism.
package extism_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	extism "github.com/extism/go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

const echoModule = "../../host/sandbox/testdata/modules/echo.wasm"

// BenchmarkEcho asks where a symbol is, and is told that it is where it was asked for.
func BenchmarkEcho(b *testing.B) {
	b.Run("navseam sandbox", viaSandbox)
	b.Run("navseam host", viaHost)
	b.Run("extism", viaExtism)
}

// viaSandbox asks the module's provider alone, about a document in memory: what extism does
// too, and the judgement of the answer.
func viaSandbox(b *testing.B) {
	config := sandbox.Config{
		ID:     "echo",
		Path:   echoModule,
		Engine: "wazero",
		Limits: sandbox.Limits{
			MemoryBytes: 1 << 20, CallTimeout: time.Hour, LoadTimeout: time.Minute, Instances: 1,
			ResponseBytes: 1 << 20, Locations: 1000, DocumentBytes: 1 << 20,
		},
		QueryTimeout: time.Hour,
	}
	provider, err := sandbox.New(b.Context(), config, oneDocument{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, provider.Close(context.Background())) })
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	at := seam.Target{FilePath: "a.toy", Position: seam.Position{Line: 0, Character: 2}, WorkspaceRoot: "/workspace", LanguageID: "toy"}
	b.ReportAllocs()
	for b.Loop() {
		answer, err := provider.GoToDefinition(ctx, at)
		if err != nil || len(answer.Items) != 1 {
			b.Fatal(answer, err)
		}
	}
}

// viaHost asks through the whole host: routing, the folder and the document on disk.
func viaHost(b *testing.B) {
	root := b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(root, "a.toy"), []byte("area\n"), 0o600))
	module, err := filepath.Abs(echoModule)
	require.NoError(b, err)
	config := host.DefaultConfig()
	echo := host.DefaultModule()
	echo.Path = module
	echo.ExtensionToLanguage = map[string]string{".toy": "toy"}
	config.Modules = map[string]host.Module{"echo": echo}
	h, err := host.Open(b.Context(), config, host.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, h.Close(context.Background())) })
	request := seam.Request{Operation: seam.OpGoToDefinition}
	request.FilePath, request.WorkspaceRoot, request.Position = "a.toy", root, seam.Position{Line: 0, Character: 2}
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		answer, err := h.Query(ctx, request)
		if err != nil || len(answer.(seam.Locations).Items) != 1 {
			b.Fatal(answer, err)
		}
	}
}

// viaExtism is the least that a host must do around an extism plugin to have the same
// answer: no routing, no workspace, no document.
func viaExtism(b *testing.B) {
	plugin, err := extism.NewPlugin(b.Context(), extism.Manifest{
		Wasm:    []extism.Wasm{extism.WasmFile{Path: "testdata/echo.wasm"}},
		Timeout: uint64(time.Hour.Milliseconds()), // as navseam does: calls can be stopped
	}, extism.PluginConfig{}, nil)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, plugin.Close(context.Background())) })
	question := seam.Location{URI: "file:///workspace/a.toy", Range: seam.Range{Start: seam.Position{Character: 2}, End: seam.Position{Character: 2}}}
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		input, err := json.Marshal(question)
		if err != nil {
			b.Fatal(err)
		}
		code, output, err := plugin.CallWithContext(ctx, "goToDefinition", input)
		if err != nil || code != 0 {
			b.Fatal(code, err)
		}
		var answer seam.Location
		if err := json.Unmarshal(output, &answer); err != nil || answer != question {
			b.Fatal(answer, err)
		}
	}
}
