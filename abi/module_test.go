package abi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The module that SPEC.md shows is the one that is tested.
func TestSpecificationShowsTheModule(t *testing.T) {
	_, rest, found := strings.Cut(specification(t), "```wat\n")
	require.True(t, found, "SPEC.md has no module in WAT")
	shown, _, found := strings.Cut(rest, "```\n")
	require.True(t, found)
	module, err := os.ReadFile(filepath.Join("testdata", "spec.wat"))
	require.NoError(t, err)
	require.Equal(t, string(module), shown)
}
