//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// workspaceWith makes a workspace with one file and a configuration for a scripted server.
func workspaceWith(t *testing.T, script, more string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Cleanup(func() { nothingLeft(t, filepath.Join(dir, "log")) })
	script = strings.Join(strings.Fields(script), " ")
	config := fmt.Sprintf("servers:\n  fake:\n    command: fakeserver\n    args: [fakeserver, '%s']\n"+
		"    extensionToLanguage: {\".fake\": fake}\n%s", script, more)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.fake"), []byte("text\n"), 0o600))
	return dir
}

// nothingLeft looks for the servers that wrote the log. Only Linux promises that none
// outlives a navseam that was killed.
func nothingLeft(t *testing.T, log string) {
	t.Helper()
	pids, err := loggedProcesses(log)
	require.NoError(t, err)
	if runtime.GOOS == "linux" {
		require.True(t, allGone(pids), "of the processes %v some are still there", pids)
	}
	for _, pid := range pids {
		if fakeserver.Running(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// hoverCommand is a query in that workspace.
func hoverCommand(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "navseam", "query", "hover", "a.fake:1:1", "-c", "config.yaml")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm")
	return cmd
}

func heardIn(t *testing.T, dir, method string) {
	t.Helper()
	heard := func(events []fakeserver.Event) bool { return fakeserver.Count(events, method) > 0 }
	events, err := fakeserver.WaitLog(filepath.Join(dir, "log"), patience, heard)
	require.NoError(t, err)
	require.True(t, heard(events), "the server did not get %s", method)
}

func TestTerminate(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log", "On": {"textDocument/hover": [{"Hang": true, "NoReply": true}]}}`,
		"    shutdownTimeoutMs: 300\n    killGraceMs: 300\n")
	cmd := hoverCommand(t, dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	heardIn(t, dir, "textDocument/hover")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, statusFailed, cmd.ProcessState.ExitCode())
	require.True(t, strings.HasPrefix(stderr.String(), "navseam: LSP_CANCELLED: "), stderr.String())
}

// Who cannot wait for the orderly end presses Ctrl-C again.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log", "IgnoreSignals": true, "IgnoreEOF": true, "On": {"textDocument/hover": [{"Hang": true, "NoReply": true}]}}`,
		"    shutdownTimeoutMs: 60000\n    killGraceMs: 60000\n")
	cmd := hoverCommand(t, dir)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	heardIn(t, dir, "textDocument/hover")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "LSP_CANCELLED")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.True(t, status.Signaled(), "status %v", status)
}

// The answer is there before the servers are ended, which can take a while.
func TestAnswerDoesNotWaitForTheEnd(t *testing.T) {
	dir := workspaceWith(t, `{"Log": "log", "On": {"shutdown": [{"Hang": true, "NoReply": true}]}}`, "    shutdownTimeoutMs: 60000\n")
	cmd := hoverCommand(t, dir)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "fake\n", line)
	heardIn(t, dir, "shutdown") // and that is not answered
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
}
