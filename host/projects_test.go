package host_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// A workspace with the same project twice: with root markers, real servers answer in each as
// if there was no other, and their answers are of the workspace.
func TestRealServersInProjects(t *testing.T) {
	for name, marker := range map[string]string{"go": "go.mod", "typescript": "tsconfig.json", "python": "pyrightconfig.json"} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			fixtures := map[string]realserver.Fixture{}
			for _, project := range []string{"one", "two"} {
				f := realserver.Prepare(t, name)
				require.NoError(t, os.Rename(f.Root, filepath.Join(root, project)))
				f.Root = filepath.Join(root, project)
				fixtures[project] = f
			}
			config, err := host.Load(fixtures["one"].Config)
			require.NoError(t, err)
			for id, server := range config.Servers {
				server.RootMarkers = []string{"no-such-file", marker}
				config.Servers[id] = server
			}
			path, err := os.Executable()
			require.NoError(t, err)
			h, err := host.Open(t.Context(), config, host.Options{Supervisor: []string{path, "supervise"}})
			require.NoError(t, err)
			defer func() { require.NoError(t, h.Close(context.Background())) }()

			for project, f := range fixtures {
				for _, c := range f.FirstOfEach() {
					t.Run(project+" "+c.Operation.String()+" "+c.Place, func(t *testing.T) {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						result, err := h.Query(ctx, seam.Request{
							Operation: c.Operation, FilePath: filepath.Join(project, c.File), Position: c.Position, WorkspaceRoot: root,
						})
						if found, ok := result.(seam.Locations); ok {
							require.Equal(t, workspace.FileURI(root), found.WorkspaceURI)
						}
						require.NoError(t, c.Check(f.Root, result, err))
					})
				}
			}
			workspaces := h.Status().Providers[0].Server.Workspaces
			require.Len(t, workspaces, 2)
			for i, project := range []string{"one", "two"} {
				require.Equal(t, root, workspaces[i].Root)
				require.Equal(t, filepath.Join(root, project), workspaces[i].Project)
				require.Equal(t, 1, workspaces[i].Starts)
			}
		})
	}
}

// What root markers are for: pyright reads a pyrightconfig.json where it starts, and nowhere
// below.
func TestPyrightNeedsItsProject(t *testing.T) {
	f := realserver.Prepare(t, "python")
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	api := filepath.Join(root, "api")
	require.NoError(t, os.MkdirAll(filepath.Join(api, "lib"), 0o700))
	for name, text := range map[string]string{
		"pyrightconfig.json": `{"extraPaths": ["lib"]}`,
		"lib/money.py":       "class Coin: ...\n",
		"main.py":            "from money import Coin\n\nprint(Coin())\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(api, name), []byte(text), 0o600))
	}
	want := seam.Location{
		URI:   workspace.FileURI(filepath.Join(api, "lib", "money.py")),
		Range: seam.Range{Start: seam.Position{Character: 6}, End: seam.Position{Character: 10}},
	}
	for _, markers := range [][]string{nil, {"pyrightconfig.json"}} {
		config, err := host.Load(f.Config)
		require.NoError(t, err)
		server := config.Servers["pyright"]
		server.RootMarkers = markers
		config.Servers["pyright"] = server
		h, err := host.Open(t.Context(), config, host.Options{})
		require.NoError(t, err)
		defer func() { require.NoError(t, h.Close(context.Background())) }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		result, err := h.Query(ctx, seam.Request{
			Operation: seam.OpGoToDefinition, FilePath: "api/main.py", Position: seam.Position{Line: 2, Character: 7}, WorkspaceRoot: root,
		})
		require.NoError(t, err)
		found := result.(seam.Locations).Items
		if markers == nil {
			require.NotContains(t, found, want)
		} else {
			require.Equal(t, []seam.Location{want}, found)
		}
	}
}
