package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/tool"
)

// The command line of the MCP inspector, a client that is none of ours, sees the tool and
// reads an answer.
func TestMCPInspector(t *testing.T) {
	inspector, err := filepath.Abs("../../testdata/mcp/node_modules/.bin/mcp-inspector")
	require.NoError(t, err)
	if _, err := os.Stat(inspector); err != nil {
		if os.Getenv(realserver.Require) != "" {
			t.Fatalf("the MCP inspector is missing and %s is set: run make mcp-clients", realserver.Require)
		}
		t.Skip("the MCP inspector is not installed: run make mcp-clients")
	}
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	config := filepath.Join(t.TempDir(), "config.yaml")
	module, err := json.Marshal(filepath.Join(examples, "wasm-provider-c", "provider.wasm"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(config, []byte(`modules: {graphql: {path: `+string(module)+`, extensionToLanguage: {.graphql: graphql}}}`), 0o600))
	inspect := func(into any, args ...string) {
		cmd := exec.CommandContext(t.Context(), inspector, append([]string{
			"--cli",
			"-e", "NAVSEAM_CONFIG=" + config,
			"-e", "NAVSEAM_WORKSPACE=" + filepath.Join(examples, "wasm-provider", "sample"),
			"navseam", "mcp",
		}, args...)...)
		cmd.Stderr = t.Output()
		printed, err := cmd.Output()
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
