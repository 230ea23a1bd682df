package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheVersionOfWazero(t *testing.T) { requireVersion(t, wazeroModule, wazeroVersion) }

// requireVersion compares with go.mod. The version is a part of a cache entry's name, so that
// a new engine does not run what an old one made.
func requireVersion(t *testing.T, module, version string) {
	t.Helper()
	gomod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(gomod), module+" "+version)
}
