package navseam_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// promised are the numbers of the behaviours that hold now, from first to last: …
// Each is named, in full, by the test that shows it.
func promised() [][2]int {
	return [][2]int{
		{1, 1},     // the surface
		{3, 14},    // registration
		{16, 28},   // routing
		{30, 35},   // results
		{36, 43},   // configuration
		{45, 58},   // loading, executables, environment
		{59, 63},   // workspaces
		{64, 73},   // sources
		{75, 97},   // queries, pooling, processes
		{98, 121},  // framing, JSON-RPC, what servers ask
		{122, 140}, // handshake, capabilities, documents, requests
		{141, 156}, // normalization
		{157, 183}, // cancellation, retry, teardown
		{184, 193}, // the model's tool
		{195, 198},
		{201, 217}, // its texts
		{218, 218},
		{223, 227},
	}
}

// exceptions are promised, but no test names them. Each says why.
func exceptions() map[string]string {
	return map[string]string{
		"A-088": "a server has no queue of its own: its one user, the pool, gives its slot to one query at a time",
		"A-182": "a process that SIGKILL does not end cannot be made here; internal/process shows the survivor's error, and Close joins what it gets",
		"A-225": "it says what is not done: a configured native server is trusted and runs without a sandbox",
	}
}

func TestBehavioursAreTested(t *testing.T) {
	named := namedBehaviours(t, ".")
	var ids, missing []string
	for _, span := range promised() {
		for number := span[0]; number <= span[1]; number++ {
			ids = append(ids, fmt.Sprintf("A-%03d", number))
		}
	}
	excused := exceptions()
	for _, id := range ids {
		if !named[id] && excused[id] == "" {
			missing = append(missing, id)
		}
	}
	require.Empty(t, missing, "%d of %d behaviours are named by no test", len(missing), len(ids))
	for id, reason := range excused {
		require.NotEmpty(t, reason, "the exception %s has no reason", id)
		require.Contains(t, ids, id, "the exception %s is not promised: take it out", id)
		require.False(t, named[id], "the exception %s is named by a test: take it out", id)
	}
}

// A range or a shortened id names nothing.
func TestBehavioursAreNamedInFull(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("a_test.go", "// A-901, A-902…A-904, a/905, A-9061, XA-907")
	write("b.go", "// A-911")
	write("cmd/x/testdata/query.txtar", "# A-921")
	write("cmd/x/testdata/node_modules/y_test.go", "// A-931")
	write("cmd/x/query.txtar", "# A-941")

	var names []string
	for id := range namedBehaviours(t, root) {
		names = append(names, id)
	}
	slices.Sort(names)
	require.Equal(t, []string{"A-901", "A-902", "A-904", "A-921"}, names)
}

// namedBehaviours finds the ids in tests and in test scripts, but in this file.
func namedBehaviours(t *testing.T, root string) map[string]bool {
	t.Helper()
	id := regexp.MustCompile(`\bA-[0-9]{3}\b`)
	named := map[string]bool{}
	require.NoError(t, walkSources(root, func(path string) error {
		if path == "behaviours_test.go" {
			return nil
		}
		inTestdata := slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "testdata")
		if !strings.HasSuffix(path, "_test.go") && !(inTestdata && strings.HasSuffix(path, ".txtar")) {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range id.FindAllString(string(content), -1) {
			named[found] = true
		}
		return nil
	}))
	return named
}
