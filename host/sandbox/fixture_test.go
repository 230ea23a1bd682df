package sandbox_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// onEveryEngine runs a test on each engine of this build.
func onEveryEngine(t *testing.T, test func(t *testing.T, engine string)) {
	for _, engine := range sandbox.Engines() {
		t.Run(engine, func(t *testing.T) { test(t, engine) })
	}
}

// configOf is a module with generous limits and no grants, for the files of the toy language.
func configOf(module, engine string) sandbox.Config {
	return sandbox.Config{
		ID:     "toy",
		Routes: seam.Routes{Extensions: map[string]string{".toy": "toy"}},
		Path:   module,
		Engine: engine,
		Limits: sandbox.Limits{
			MemoryBytes:   16 << 20,
			CallTimeout:   20 * time.Second,
			LoadTimeout:   20 * time.Second,
			Instances:     2,
			ResponseBytes: 4 << 20,
			Locations:     100_000,
			DocumentBytes: 4 << 20,
		},
		Circuit:      circuit.Limit{Failures: 1000, Cooldown: time.Minute},
		QueryTimeout: time.Minute,
	}
}

// provide makes a provider that ends with the test.
func provide(t testing.TB, config sandbox.Config) *sandbox.Provider {
	t.Helper()
	files := workspace.NewFiles(8)
	provider, err := sandbox.New(t.Context(), config, sandbox.FileWorkspaces(files))
	require.NoError(t, err)
	t.Cleanup(func() { closeProvider(t, provider) })
	return provider
}

func closeProvider(t testing.TB, provider *sandbox.Provider) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, provider.Close(ctx))
}

// folderWith makes a workspace of these files.
func folderWith(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func textOf(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// toyRoot is a workspace with the sample of SPEC.md.
func toyRoot(t testing.TB) string {
	return folderWith(t, map[string]string{"sample.toy": textOf(t, "../../abi/testdata/sample.toy")})
}

func target(root, file string, line, character int) seam.Target {
	return seam.Target{FilePath: file, Position: seam.Position{Line: line, Character: character}, WorkspaceRoot: root, LanguageID: "toy"}
}
