//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ctrl-C while a module runs in a loop without end: everything ends, and nothing stays behind.
func TestInterruptedModule(t *testing.T) {
	for name, args := range map[string][]string{
		"run":  {"run", "goToImplementation", "a.odd:1:1"},
		"test": {"test"},
	} {
		t.Run(name, func(t *testing.T) {
			module, err := filepath.Abs("testdata/modules/faulty.wasm")
			require.NoError(t, err)
			if name == "run" {
				args = append(args, "--module")
			}
			cmd := exec.CommandContext(t.Context(), "navseam", append(append([]string{"module"}, args...), module)...)
			cmd.Dir = t.TempDir()
			left := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "a.odd"), []byte("text\n"), 0o600))
			cmd.Env = append(os.Environ(), "TMPDIR="+left, "XDG_CACHE_HOME="+t.TempDir())
			stderr, err := cmd.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			said := bufio.NewReader(stderr)
			line, err := said.ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "round and round")
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			rest, err := io.ReadAll(said)
			require.NoError(t, err)
			require.Contains(t, string(rest), "navseam: LSP_CANCELLED: ")
			require.Error(t, cmd.Wait())
			require.Equal(t, statusFailed, cmd.ProcessState.ExitCode())
			entries, err := os.ReadDir(left)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}
