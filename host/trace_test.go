package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// A server that shows everything it has been given, and a document with a secret in it.
func TestTraceOfAServer(t *testing.T) {
	t.Setenv("CODE_TOKEN", "ambient-s3cret")
	path := filepath.Join(t.TempDir(), "trace")
	trace, err := host.OpenTrace(path)
	require.NoError(t, err)
	script := says("the hover-s3cret")
	script.On["initialized"] = []fakeserver.Action{{Notify: []fakeserver.Message{
		{Method: "window/logMessage", Params: fakeserver.Raw(`{"message":"my environment has given-s3cret and ambient-s3cret"}`)},
		{Method: "window/logMessage", Params: fakeserver.Raw(`{"message":"all is well"}`)},
	}}}
	server := fake(t, ".a", script)
	server.Freshness.SettleMs = 0 // one question is one request
	server.Env = map[string]string{"PLAIN": "given-s3cret"}
	server.InitializationOptions = map[string]any{"licence": map[string]any{"key": "option-s3cret"}, "level": "high"}
	server.Settings = map[string]any{"a": map[string]any{"password": "setting-s3cret"}}
	dir := folder(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.a"), []byte("text-s3cret"), 0o600))
	program, err := os.Executable()
	require.NoError(t, err)
	h, err := host.Open(t.Context(), config(map[string]host.Server{"a": server}), host.Options{Supervisor: []string{program, "supervise"}, Trace: trace})
	require.NoError(t, err)
	text, err := hover(h, dir, "x.a")
	require.NoError(t, err)
	require.Equal(t, "the hover-s3cret", text, "the answer itself is whole")
	require.NoError(t, h.Close(context.Background()))
	require.NoError(t, trace.Close())

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(data), "s3cret")
	require.NotContains(t, string(data), "PATH=")
	methods := map[string]int{}
	for line := range strings.Lines(string(data)) {
		var one struct{ Provider, Kind, Method string }
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		if one.Provider == "a" {
			methods[one.Kind+" "+one.Method]++
		}
	}
	for _, want := range []string{
		"request initialize", "reply initialize", "notification initialized", "notification textDocument/didOpen",
		"request textDocument/hover", "reply textDocument/hover", "request shutdown", "reply shutdown", "notification exit",
	} {
		require.Equal(t, 1, methods[want], "%s in %s", want, data)
	}
	require.Contains(t, string(data), `"level":"high"`)
	require.Contains(t, string(data), "all is well")
}

func TestTraceOfHeaders(t *testing.T) {
	c := host.DefaultConfig()
	module := host.DefaultModule()
	rule := host.DefaultHTTPRule()
	rule.URL, rule.Headers = "https://a.example/", map[string]string{"Authorization": "Bearer header-s3cret"}
	module.Path, module.Grants.HTTP = "/nowhere/header-s3cret.wasm", []host.HTTPRule{rule}
	module.ExtensionToLanguage = map[string]string{".m": "m"}
	c.Modules["m"], c.Lenient = module, true
	path := filepath.Join(t.TempDir(), "trace")
	trace, err := host.OpenTrace(path)
	require.NoError(t, err)
	h, err := host.Open(t.Context(), c, host.Options{Trace: trace})
	require.NoError(t, err)
	trace.Wire("header-s3cret", "/w").Message(true, []byte(`{"method":"header-s3cret"}`), 26)
	_, err = h.Query(t.Context(), seam.Request{Operation: seam.OpHover, FilePath: "x.m", WorkspaceRoot: t.TempDir()})
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.NoError(t, h.Close(context.Background()))
	require.NoError(t, trace.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), "notification")
	require.NotContains(t, string(data), "s3cret")
}
