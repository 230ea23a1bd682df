package sandbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/internal/trace"
	"github.com/navseam/navseam/seam"
)

// traceOf runs something with a trace, and returns the lines of the module: kind, method and
// result of each.
func traceOf(t *testing.T, config sandbox.Config, work func(p *sandbox.Provider)) (calls [][3]any, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	log, err := trace.Open(path)
	require.NoError(t, err)
	config.Trace = log
	p := provide(t, config)
	work(p)
	require.NoError(t, log.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		var one map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		if one["provider"] == "toy" {
			calls = append(calls, [3]any{one["kind"], one["method"], one["result"]})
		}
	}
	return calls, string(data)
}

func TestTraceOfAModule(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		root := toyRoot(t)
		calls, text := traceOf(t, configOf("../../abi/testdata/spec.wasm", engine), func(p *sandbox.Provider) {
			_, err := p.Hover(t.Context(), target(root, "sample.toy", 0, 0))
			require.NoError(t, err)
		})
		require.Equal(t, [3]any{"operation", "hover", 0.0}, calls[len(calls)-1])
		require.Contains(t, calls, [3]any{"import", "source_size", float64(len(textOf(t, filepath.Join(root, "sample.toy"))))})
		for line := range strings.Lines(textOf(t, filepath.Join(root, "sample.toy"))) {
			if line = strings.TrimSpace(line); len(line) > 3 {
				require.NotContains(t, text, line)
			}
		}
	})
}

func TestTraceOfATrap(t *testing.T) {
	root := toyRoot(t)
	calls, _ := traceOf(t, configOf("testdata/hostile/trap_unreachable.wasm", sandbox.Engines()[0]), func(p *sandbox.Provider) {
		_, err := p.GoToDefinition(t.Context(), target(root, "sample.toy", 0, 0))
		require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
	})
	require.Contains(t, calls, [3]any{"operation", "goToDefinition", "trap"})
}

// An address is written without what may be secret in it, and no header at all.
func TestTraceOfRequests(t *testing.T) {
	root := toyRoot(t)
	server := upstream(t, "")
	config := configOf("testdata/hostile/http_get.wasm", sandbox.Engines()[0])
	setting(server.URL + "/ok?key=s3cretQuery")(&config)
	config.Grants.HTTP = []egress.Rule{{URL: server.URL + "/", Private: true, BodyBytes: 1 << 20, Headers: map[string]string{"X-Key": "s3cretHeader"}}}
	calls, text := traceOf(t, config, func(p *sandbox.Provider) {
		_, err := p.GoToDefinition(t.Context(), target(root, "sample.toy", 0, 0))
		require.NoError(t, err)
	})
	require.Contains(t, calls, [3]any{"http", "GET", nil})
	require.Contains(t, calls, [3]any{"import", "http_request", 1.0})
	require.Contains(t, text, `"url":"`+server.URL+`/ok"`)
	require.NotContains(t, text, "s3cret")
}
