package sandbox_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each hostile module is one that a test runs.
func TestHostileModulesAreRun(t *testing.T) {
	texts, err := filepath.Glob(filepath.Join("testdata", "hostile", "*.wat"))
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	requireNamedByTests(t, texts)
}

// requireNamedByTests wants the name of each module in a test, or its parts where a test
// puts it together.
func requireNamedByTests(t *testing.T, texts []string) {
	t.Helper()
	tests, err := filepath.Glob("hostile_*_test.go")
	require.NoError(t, err)
	var sources strings.Builder
	for _, test := range append(tests, "hostile_test.go") {
		sources.WriteString(textOf(t, test))
	}
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".wat")
		_, rest, _ := strings.Cut(name, "_")
		require.True(t, strings.Contains(sources.String(), `"`+name+`"`) || strings.Contains(sources.String(), `"`+rest+`"`),
			"%s is run by no test", name)
	}
}
