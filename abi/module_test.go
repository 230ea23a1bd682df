package abi_test

import (
	"os"
	"os/exec"
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

// Each binary is what its text says.
func TestBinariesAreOfTheirTexts(t *testing.T) {
	texts, err := filepath.Glob(filepath.Join("testdata", "*.wat"))
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		if os.Getenv("NAVSEAM_TEST_REQUIRE") != "" {
			t.Fatalf("wat2wasm is missing: install wabt: %v", err)
		}
		t.Skip("wat2wasm is missing: install wabt to compare the modules with their texts")
	}
	for _, text := range texts {
		built := filepath.Join(t.TempDir(), "built.wasm")
		output, err := exec.CommandContext(t.Context(), "wat2wasm", text, "-o", built).CombinedOutput()
		require.NoError(t, err, "%s", output)
		want, err := os.ReadFile(built)
		require.NoError(t, err)
		got, err := os.ReadFile(strings.TrimSuffix(text, ".wat") + ".wasm")
		require.NoError(t, err)
		require.Equal(t, want, got, "%s: build it again with wat2wasm", text)
	}
}
