package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/tool"
)

// The command line of the MCP inspector, a client that is none of ours, sees the tool and
// reads answers: from a process that it starts, and over HTTP with the token in a header.
func TestMCPInspector(t *testing.T) {
	inspector, err := filepath.Abs("../../testdata/mcp/node_modules/@modelcontextprotocol/inspector-cli/build/cli.js")
	require.NoError(t, err)
	if _, err := os.Stat(inspector); err != nil {
		if os.Getenv(realserver.Require) != "" {
			t.Fatalf("the MCP inspector is missing and %s is set: run make mcp-clients", realserver.Require)
		}
		t.Skip("the MCP inspector is not installed: run make mcp-clients")
	}
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	workspace := filepath.Join(examples, "wasm-provider", "sample")
	module, err := json.Marshal(filepath.Join(examples, "wasm-provider-c", "provider.wasm"))
	require.NoError(t, err)
	config := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(config, []byte(`modules: {graphql: {path: `+string(module)+`, extensionToLanguage: {.graphql: graphql}}}`), 0o600))

	t.Run("stdio", func(t *testing.T) {
		inspects(t, inspector, "-e", "NAVSEAM_CONFIG="+config, "-e", "NAVSEAM_WORKSPACE="+workspace, "navseam", "mcp")
	})
	t.Run("http", func(t *testing.T) {
		const token = "0123456789abcdef"
		server := exec.CommandContext(t.Context(), "navseam", "mcp", "--http", "0", "-w", workspace, "-c", config)
		server.Env = append(os.Environ(), tokenVariable+"="+token)
		stderr, err := server.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, server.Start())
		t.Cleanup(func() { _ = server.Wait() }) // by then it was killed, as nothing else ends it on every system
		line, err := bufio.NewReader(stderr).ReadString('\n')
		require.NoError(t, err)
		url, ok := strings.CutPrefix(strings.TrimSpace(line), "navseam: answering at ")
		require.True(t, ok, line)
		inspects(t, inspector, "--transport", "http", "--header", "Authorization: Bearer "+token, "--", url)

		said, err := inspectorRun(t, inspector, "--transport", "http", "--", url, "--method", "tools/list").Output()
		require.Error(t, err, "without the token")
		require.Empty(t, string(said))
	})
}

// inspectorRun is one run of the inspector, in the only folder where it finds its own version.
func inspectorRun(t *testing.T, inspector string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "node", append([]string{inspector, "--cli"}, args...)...)
	cmd.Dir = filepath.Dir(inspector)
	cmd.Stderr = t.Output()
	return cmd
}

// inspects compares what the inspector prints with the tool, the answer to a question, and
// a failure.
func inspects(t *testing.T, inspector string, target ...string) {
	inspect := func(into any, args ...string) {
		t.Helper()
		printed, err := inspectorRun(t, inspector, append(slices.Clone(target), args...)...).Output()
		require.NoError(t, err, "%s", printed)
		require.NoError(t, json.Unmarshal(printed, into), "%s", printed)
	}

	var list struct {
		Tools []struct {
			Name        string
			Description string
			InputSchema json.RawMessage
			Annotations struct{ ReadOnlyHint bool }
		}
	}
	inspect(&list, "--method", "tools/list")
	require.Len(t, list.Tools, 1)
	require.Equal(t, tool.Name, list.Tools[0].Name)
	require.Equal(t, tool.Description, list.Tools[0].Description)
	require.JSONEq(t, string(tool.InputSchema()), string(list.Tools[0].InputSchema))
	require.True(t, list.Tools[0].Annotations.ReadOnlyHint)

	var result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	inspect(&result, "--method", "tools/call", "--tool-name", "lsp", "--tool-arg",
		"operation=hover", "file_path=schema.graphql", "line=23", "character=36")
	require.False(t, result.IsError)
	require.Len(t, result.Content, 1)
	require.Equal(t, "text", result.Content[0].Type)
	require.Contains(t, result.Content[0].Text, "interface Node")

	inspect(&result, "--method", "tools/call", "--tool-name", "lsp", "--tool-arg",
		"operation=rename", "file_path=schema.graphql", "line=23", "character=36")
	require.True(t, result.IsError)
	require.Contains(t, result.Content[0].Text, "LSP_INVALID_ARGS")
}
