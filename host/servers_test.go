package host_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

// A-218 and more: real servers give exactly the answers that were worked out by hand, at
// their first word.
func TestRealServers(t *testing.T) {
	for _, name := range realserver.Names() {
		t.Run(name, func(t *testing.T) {
			f := realserver.Prepare(t, name)
			config, err := host.Load(f.Config)
			require.NoError(t, err)
			path, err := os.Executable()
			require.NoError(t, err)
			h, err := host.Open(t.Context(), config, host.Options{Supervisor: []string{path, "supervise"}})
			require.NoError(t, err)
			defer func() { require.NoError(t, h.Close(context.Background())) }()
			for _, c := range f.Cases {
				t.Run(c.Operation.String()+" "+c.Place, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					result, err := h.Query(ctx, seam.Request{Operation: c.Operation, FilePath: c.File, Position: c.Position, WorkspaceRoot: f.Root})
					require.NoError(t, c.Check(f.Root, result, err))
				})
			}
		})
	}
}
