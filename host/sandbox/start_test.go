package sandbox

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// A start that nobody waits for any more keeps its release, and the code of it, from being
// closed under it when another takes its place.
func TestAStartOutlivesItsRelease(t *testing.T) {
	for _, engine := range Engines() {
		t.Run(engine, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "module.wasm")
			put := func(name string) {
				data, err := os.ReadFile("testdata/modules/" + name)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(path, data, 0o600))
			}
			put("slowload.wasm") // loads for 300 ms
			var logged bytes.Buffer
			p, err := New(t.Context(), Config{
				ID: "toy", Path: path, Engine: engine, QueryTimeout: time.Minute,
				Limits: Limits{
					MemoryBytes: 1 << 20, CallTimeout: time.Minute, LoadTimeout: time.Minute, Instances: 1,
					ResponseBytes: 1000, Locations: 10, DocumentBytes: 1000,
				},
				Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelError})),
			}, FileWorkspaces(workspace.NewFiles(2)))
			require.NoError(t, err)
			root := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(root, "a.toy"), nil, 0o600))

			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			at := seam.Target{FilePath: "a.toy", WorkspaceRoot: root, LanguageID: "toy"}
			_, err = p.Hover(ctx, at)
			require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
			old := p.release()
			spaces := old.all()
			put("echo.wasm")
			require.NoError(t, p.replace())

			answer, err := p.Hover(t.Context(), at)
			require.NoError(t, err)
			require.Equal(t, "a.toy", answer.Hover.Contents, "the new module answers meanwhile")
			require.Len(t, spaces, 1)
			require.Eventually(t, func() bool {
				s := spaces[0]
				s.mu.Lock()
				defer s.mu.Unlock()
				return s.starting == 0 && s.live == 0
			}, time.Minute, 10*time.Millisecond, "the start comes to its end, and what it made is ended")
			require.Equal(t, 1, spaces[0].starts)
			require.NoError(t, spaces[0].faults.Last(), "its code was there all the time")
			require.NoError(t, p.Close(t.Context()))
			require.Empty(t, logged.String())
		})
	}
}
