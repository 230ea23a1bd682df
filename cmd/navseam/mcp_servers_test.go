package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/expect"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

// Agents read the right places, from every real server and from a module, in one session.
func TestMCPRealServers(t *testing.T) {
	for _, name := range realserver.Names() {
		t.Run(name, func(t *testing.T) {
			f := realserver.Prepare(t, name)
			session := agentOf(t, f.Root, f.Config)
			for _, c := range f.FirstOfEach() {
				require.NoError(t, readsRight(t.Context(), session, c), "%s %s", c.Operation, c.Place)
			}
		})
	}
	t.Run("module", func(t *testing.T) {
		examples, err := filepath.Abs("../../examples")
		require.NoError(t, err)
		root, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		sample := filepath.Join(examples, "wasm-provider", "sample")
		text, err := os.ReadFile(filepath.Join(sample, "schema.graphql"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, "schema.graphql"), text, 0o600))
		module, err := json.Marshal(filepath.Join(examples, "wasm-provider-c", "provider.wasm"))
		require.NoError(t, err)
		config := filepath.Join(t.TempDir(), "config.yaml")
		require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, "modules:\n  graphql: {path: %s, extensionToLanguage: {\".graphql\": graphql}}\n", module), 0o600))
		expected, err := os.ReadFile(filepath.Join(sample, "expect.txt"))
		require.NoError(t, err)
		cases, err := expect.Parse(string(expected))
		require.NoError(t, err)
		session := agentOf(t, root, config)
		for _, c := range cases {
			if c.Operation == seam.OpFindReferences || c.Operation == seam.OpGoToImplementation { // this module has neither
				c.Code, c.Locations = seam.CodeUnsupportedOperation, nil
			}
			require.NoError(t, readsRight(t.Context(), session, c), "%s %s", c.Operation, c.Place)
		}
	})
}

// agentOf starts navseam mcp for a client.
func agentOf(t *testing.T, root, config string) *sdk.ClientSession {
	t.Helper()
	cmd := exec.Command("navseam", "mcp", "-w", root, "-c", config)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session
}

// readsRight asks as an agent does, and looks for what is expected in the text.
func readsRight(ctx context.Context, session *sdk.ClientSession, c expect.Case) error {
	line, character := c.Position.OneBased()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "lsp", Arguments: map[string]any{
		"operation": c.Operation.String(), "file_path": c.File, "line": line, "character": character,
	}})
	if err != nil {
		return err
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError != (c.Code != seam.Code("")) {
		return errors.New(text)
	}
	wanted := []string{string(c.Code)}
	for _, l := range c.Locations {
		line, character := l.Range.Start.OneBased()
		wanted = append(wanted, fmt.Sprintf("%s:%d:%d", l.File, line, character))
	}
	if c.Hover != nil {
		wanted = append(wanted, strings.TrimSpace(*c.Hover))
	}
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			return fmt.Errorf("%q is not in\n%s", w, text)
		}
	}
	return nil
}
