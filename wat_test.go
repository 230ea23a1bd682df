package navseam_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Modules for tests are written in WAT. Each binary beside such a text is what the text says,
// translated with the flags that its head names: ";; flags: --enable-threads".
func TestModulesAreOfTheirTexts(t *testing.T) {
	var texts []string
	require.NoError(t, walkSources(".", func(path string) error {
		if filepath.Ext(path) == ".wat" {
			texts = append(texts, path)
		}
		return nil
	}))
	require.NotEmpty(t, texts)
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		if os.Getenv("NAVSEAM_TEST_REQUIRE") != "" {
			t.Fatalf("wat2wasm is missing: install wabt: %v", err)
		}
		t.Skip("wat2wasm is missing: install wabt to compare the modules with their texts")
	}
	built := filepath.Join(t.TempDir(), "built.wasm")
	for _, text := range texts {
		output, err := exec.CommandContext(t.Context(), "wat2wasm", append(flagsOf(t, text), text, "-o", built)...).CombinedOutput()
		require.NoError(t, err, "%s", output)
		want, err := os.ReadFile(built)
		require.NoError(t, err)
		got, err := os.ReadFile(strings.TrimSuffix(text, ".wat") + ".wasm")
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s: build it again with wat2wasm", text)
	}
}

// flagsOf reads them from the comments at the head of a text.
func flagsOf(t *testing.T, text string) []string {
	t.Helper()
	content, err := os.ReadFile(text)
	require.NoError(t, err)
	for line := range strings.Lines(string(content)) {
		if flags, ok := strings.CutPrefix(line, ";; flags:"); ok {
			return strings.Fields(flags)
		}
		if !strings.HasPrefix(line, ";;") {
			break
		}
	}
	return nil
}
