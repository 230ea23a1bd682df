// Package examples_test asks the example modules of all languages the same questions.
package examples_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/expect"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

const sample = "wasm-provider/sample"

// Every module answers alike on every engine, as worked out in the sample's expect.txt.
func TestModules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sample, "expect.txt"))
	require.NoError(t, err)
	cases, err := expect.Parse(string(text))
	require.NoError(t, err)
	modules := map[string]string{
		"go":             buildGo(t),
		"c":              "wasm-provider-c/provider.wasm",
		"rust":           "wasm-provider-rust/provider.wasm",
		"assemblyscript": "wasm-provider-assemblyscript/provider.wasm",
	}
	for name, file := range modules {
		for _, engine := range sandbox.Engines() {
			t.Run(name+" "+engine, func(t *testing.T) { askModule(t, file, engine, cases) })
		}
	}
}

// The four need nothing from a deployment, and only Go needs WASI.
func TestModulesAskForNothing(t *testing.T) {
	for _, name := range []string{"c", "rust", "assemblyscript"} {
		module, err := os.ReadFile("wasm-provider-" + name + "/provider.wasm")
		require.NoError(t, err)
		report := sandbox.Inspect(module)
		require.Empty(t, report.Problems, name)
		require.Empty(t, report.Permissions, name)
		require.NotContains(t, string(module), "wasi_snapshot_preview1", name)
		require.Less(t, len(module), 16<<10, "%s: built without -O or with debug sections?", name)
	}
}

func buildGo(t *testing.T) string {
	t.Helper()
	require.NoError(t, filepath.WalkDir("wasm-provider", func(path string, _ os.DirEntry, _ error) error {
		_, err := os.Stat(path) // for the cache of go test
		return err
	}))
	file := filepath.Join(t.TempDir(), "provider.wasm")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", file, "./wasm-provider")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, string(output))
	return file
}

func askModule(t *testing.T, file, engine string, cases []expect.Case) {
	root, err := filepath.EvalSymlinks(sample)
	require.NoError(t, err)
	root, err = filepath.Abs(root)
	require.NoError(t, err)
	provider, err := sandbox.New(t.Context(), sandbox.Config{
		ID:     "graphql",
		Routes: seam.Routes{Extensions: map[string]string{".graphql": "graphql"}},
		Path:   file,
		Engine: engine,
		Limits: sandbox.Limits{
			MemoryBytes: 64 << 20, CallTimeout: time.Minute, LoadTimeout: 3 * time.Minute, Instances: 1,
			ResponseBytes: 1 << 20, Locations: 1000, DocumentBytes: 1 << 20,
		},
		Circuit:      circuit.Limit{Failures: 5, Cooldown: time.Minute},
		QueryTimeout: 3 * time.Minute,
	}, sandbox.FileWorkspaces(workspace.NewFiles(2)))
	require.NoError(t, err)
	defer func() { require.NoError(t, provider.Close(context.Background())) }()

	answered := map[seam.Operation]bool{}
	for _, c := range cases {
		result, err := seam.Ask(t.Context(), provider, c.Operation, seam.Target{
			FilePath: c.File, Position: c.Position, WorkspaceRoot: root, LanguageID: "graphql",
		})
		if seam.CodeOf(err) == seam.CodeUnsupportedOperation {
			continue
		}
		answered[c.Operation] = true
		require.NoError(t, c.Check(root, result, err), "%s %s", c.Operation, c.Place)
	}
	require.True(t, answered[seam.OpGoToDefinition] && answered[seam.OpHover])
}
