//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// mcpCommand is navseam mcp in a workspace.
func mcpCommand(t *testing.T, dir string, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "navseam", append([]string{"mcp"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NAVSEAM_CONFIG="+filepath.Join(dir, "config.yaml"), "NAVSEAM_MCP_TOKEN=0123456789abcdef")
	stderr := &output{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// output is what a process wrote so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) waitFor(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(o.String(), text) }, patience, 10*time.Millisecond, "%s", o)
}

// agent connects the library's client to a command.
func agent(t *testing.T, cmd *exec.Cmd) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func hoverOver(ctx context.Context, session *sdk.ClientSession) (*sdk.CallToolResult, error) {
	return session.CallTool(ctx, &sdk.CallToolParams{Name: "lsp", Arguments: json.RawMessage(hoverArguments)})
}

// says asks for a hover, and gives its text.
func says(t *testing.T, session *sdk.ClientSession) string {
	t.Helper()
	result, err := hoverOver(t.Context(), session)
	require.NoError(t, err)
	require.Len(t, result.Content, 1)
	return result.Content[0].(*sdk.TextContent).Text
}

const (
	hoverArguments = `{"operation":"hover","file_path":"a.fake","line":1,"character":1}`
	hello          = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"
	hoverCall      = `{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"lsp","arguments":` + hoverArguments + `}}` + "\n"
	hangingHover   = `{"Log": "log", "Helper": "session", "On": {"textDocument/hover": [{"Hang": true, "NoReply": true}]}}`
	endQuickly     = "    shutdownTimeoutMs: 300\n    killGraceMs: 300\n"
)

// A configuration that breaks while navseam runs is reported, and the one before stays;
// mended, it is used. A signal asks to look at once.
func TestMCPReload(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log", "On": {"textDocument/hover": [{"Result": {"contents": "one"}}]}}`, "")
	config := filepath.Join(dir, "config.yaml")
	good, err := os.ReadFile(config)
	require.NoError(t, err)
	cmd, stderr := mcpCommand(t, dir)
	session := agent(t, cmd)
	require.Contains(t, says(t, session), "one")
	require.NoError(t, os.WriteFile(config, []byte("servers: [nonsense]\n"), 0o600))
	stderr.waitFor(t, "the configuration from before stays in use")
	require.Contains(t, stderr.String(), "LSP_INVALID_CONFIG: ")
	require.Contains(t, says(t, session), "one")
	require.NoError(t, os.WriteFile(config, bytes.ReplaceAll(good, []byte("one"), []byte("two")), 0o600))
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	require.Eventually(t, func() bool { return strings.Contains(says(t, session), "two") }, patience, 20*time.Millisecond)

	// What nobody writes is not waited for.
	require.NoError(t, os.Remove(config))
	require.NoError(t, syscall.Mkfifo(config, 0o600))
	stderr.waitFor(t, "no regular file")
	require.Contains(t, says(t, session), "two")
	require.NoError(t, session.Close())
}

// One that is broken from the start heals when it is mended.
func TestMCPHeals(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log"}`, "")
	config := filepath.Join(dir, "config.yaml")
	good, err := os.ReadFile(config)
	require.NoError(t, err)
	require.NoError(t, os.Remove(config))
	cmd, _ := mcpCommand(t, dir)
	session := agent(t, cmd)
	result, err := hoverOver(t.Context(), session)
	require.NoError(t, err)
	require.True(t, result.IsError)
	require.Contains(t, says(t, session), "LSP_INVALID_CONFIG")
	require.NoError(t, os.WriteFile(config, good, 0o600))
	require.Eventually(t, func() bool {
		return strings.Contains(says(t, session), "fake") && !strings.Contains(says(t, session), "LSP_")
	},
		patience, 20*time.Millisecond)
	require.NoError(t, session.Close())
}

// At SIGTERM calls are answered, and all ends: the process with status 0, and its servers.
func TestMCPTerminate(t *testing.T) {
	dir := workspaceWith(t, hangingHover, endQuickly)
	cmd, _ := mcpCommand(t, dir)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, hello+hoverCall)
	require.NoError(t, err)
	heardIn(t, dir, "textDocument/hover")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	text, err := io.ReadAll(out)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
	require.Contains(t, string(text), "LSP_CANCELLED")
	require.Equal(t, 2, strings.Count(string(text), "\n"), "%s", text)
}

// A client that goes away takes its call, the process and its servers with it.
func TestMCPClientThatVanishes(t *testing.T) {
	dir := workspaceWith(t, hangingHover, endQuickly)
	cmd, _ := mcpCommand(t, dir)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, hello+hoverCall)
	require.NoError(t, err)
	heardIn(t, dir, "textDocument/hover")
	require.NoError(t, in.Close())
	require.NoError(t, out.Close())
	require.NoError(t, cmd.Wait())
}

// One that sends and never reads does not hold up the end.
func TestMCPClientThatNeverReads(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log"}`, "")
	cmd, _ := mcpCommand(t, dir)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	_, err = cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, hello+hoverCall)
	require.NoError(t, err)
	heardIn(t, dir, "textDocument/hover")
	_, err = io.WriteString(in, strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", 500)) // more than a pipe holds
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

// sharedServer is navseam mcp --http.
func sharedServer(t *testing.T, dir string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd, stderr := mcpCommand(t, dir, "--http", "0")
	require.NoError(t, cmd.Start())
	stderr.waitFor(t, "\n")
	url = strings.TrimSpace(strings.TrimPrefix(stderr.String(), "navseam: answering at "))
	require.True(t, strings.HasPrefix(url, "http://127.0.0.1:"), stderr)
	return cmd, url
}

// Ten agents behind ten bridges share one server, and with it one language server for the
// folder that they work in.
func TestMCPBridges(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log"}`, "")
	server, url := sharedServer(t, dir)
	var agents sync.WaitGroup
	answers := make(chan string, 10)
	for range cap(answers) {
		cmd, _ := mcpCommand(t, dir, "--connect", url)
		session := agent(t, cmd)
		agents.Go(func() {
			result, err := hoverOver(t.Context(), session)
			switch {
			case err != nil:
				answers <- err.Error()
			case result.IsError:
				answers <- fmt.Sprint("failed: ", result.Content)
			default:
				answers <- "answered"
			}
			_ = session.Close()
		})
	}
	agents.Wait()
	close(answers)
	for answer := range answers {
		require.Equal(t, "answered", answer)
	}
	events, err := fakeserver.ReadLog(filepath.Join(dir, "log"))
	require.NoError(t, err)
	require.Equal(t, 1, fakeserver.Count(events, "start"))
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
}

// When the server goes, a bridge says so and ends.
func TestMCPBridgeLosesTheServer(t *testing.T) {
	dir := workspaceWith(t, hangingHover, endQuickly)
	server, url := sharedServer(t, dir)
	cmd, stderr := mcpCommand(t, dir, "--connect", url)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, hello)
	require.NoError(t, err)
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "protocolVersion")
	_, err = io.WriteString(in, hoverCall)
	require.NoError(t, err)
	heardIn(t, dir, "textDocument/hover")
	require.NoError(t, server.Process.Kill())
	line, err = lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, `"id":"call"`)
	require.Contains(t, line, url)
	require.Error(t, cmd.Wait())
	require.Equal(t, statusFailed, cmd.ProcessState.ExitCode())
	require.Contains(t, stderr.String(), "LSP_UNAVAILABLE: the server at "+url)
	require.Error(t, server.Wait())
}
