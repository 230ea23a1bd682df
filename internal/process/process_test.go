package process_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/process"
)

const patience = 20 * time.Second // for what should take milliseconds

// inEachMode runs a test with and without a supervisor where there is one.
func inEachMode(t *testing.T, test func(t *testing.T, mode process.Command)) {
	self, err := os.Executable()
	require.NoError(t, err)
	mode := process.Command{Path: self, Dir: t.TempDir(), MaxStderrBytes: 1 << 10, KillGrace: patience}
	mode.Env = quickExit()
	t.Run("direct", func(t *testing.T) { test(t, mode) })
	if runtime.GOOS == "linux" {
		mode.Supervisor = []string{self, "supervise"}
		t.Run("supervised", func(t *testing.T) { test(t, mode) })
	}
}

// quickExit is an environment without the race detector's pause at exit.
func quickExit() []string { return []string{"GORACE=atexit_sleep_ms=0"} }

func start(t *testing.T, c process.Command, steps ...string) *process.Process {
	t.Helper()
	c.Args = helperArgs(steps...)
	p, err := process.Start(c)
	require.NoError(t, err)
	t.Cleanup(func() { p.Kill(); p.Terminate(context.Background()) })
	return p
}

func terminate(t *testing.T, p *process.Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	require.NoError(t, p.Terminate(ctx))
}

func awaitExit(t *testing.T, p *process.Process) {
	t.Helper()
	select {
	case <-p.Exited():
	case <-time.After(2 * patience):
		require.Fail(t, "the server is still there")
	}
}

// readLine reads a byte at a time, so that the rest stays in the pipe.
func readLine(t *testing.T, r io.Reader) string {
	t.Helper()
	var line strings.Builder
	for one := make([]byte, 1); ; line.Write(one) {
		_, err := io.ReadFull(r, one)
		require.NoError(t, err)
		if one[0] == '\n' {
			return line.String()
		}
	}
}

func TestExitsByItself(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		p := start(t, mode, "say:last words", "complain:because", "exit:3")
		said, err := io.ReadAll(p.Stdout())
		require.NoError(t, err)
		require.Equal(t, "last words\n", string(said))
		awaitExit(t, p) // the close event
		require.Equal(t, "exit status 3", p.Status())
		require.Equal(t, "because", p.Stderr())
		terminate(t, p)                         // harmless
		p.Kill()
	})
}

func TestSpeaksThroughPipes(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		p := start(t, mode, "env", "dir", "echo", "say:eof", "exit:0")
		require.Equal(t, strings.Join(mode.Env, " "), readLine(t, p.Stdout()))
		dir, err := filepath.EvalSymlinks(mode.Dir)
		require.NoError(t, err)
		require.Equal(t, dir, readLine(t, p.Stdout()))
		_, err = io.WriteString(p.Stdin(), "$HOME `x` *\n")
		require.NoError(t, err)
		require.Equal(t, "$HOME `x` *", readLine(t, p.Stdout()))
		require.Empty(t, p.Status())
		require.NoError(t, p.Stdin().Close())
		require.Equal(t, "eof", readLine(t, p.Stdout()))
		_, err = p.Stdout().Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
		awaitExit(t, p)
		require.Equal(t, "exit status 0", p.Status())
	})
}

func TestArgumentsAreNoShellLine(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		text := `a "b" $(c); d 'e' *`
		p := start(t, mode, "say:"+text)
		require.Equal(t, text, readLine(t, p.Stdout()))
	})
}

func TestStderrFloodDoesNotBlock(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		mode.MaxStderrBytes = 4
		p := start(t, mode, "flood:256", "complain:\U0001F600\U0001F601", "say:done", "sleep")
		require.Equal(t, "done", readLine(t, p.Stdout()))
		terminate(t, p)
		require.Equal(t, "\U0001F601", p.Stderr())
	})
}

func TestSpawnFailure(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("no program"), 0o600))
	tests := []struct {
		name   string
		change func(*process.Command)
		cause  error
	}{
		{"A-091 vanished file", func(c *process.Command) { c.Path = plain + "-vanished" }, fs.ErrNotExist},
		{"A-091 no executable", func(c *process.Command) { c.Path = plain }, fs.ErrPermission},
		{"working folder vanished", func(c *process.Command) { c.Dir = plain + "-vanished" }, fs.ErrNotExist},
		{"working folder is a file", func(c *process.Command) { c.Dir = plain }, syscall.ENOTDIR},
	}
	inEachMode(t, func(t *testing.T, mode process.Command) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				if runtime.GOOS == "windows" && test.cause == fs.ErrPermission {
					t.Skip("there is no permission to execute")
				}
				c := mode
				test.change(&c)
				p, err := process.Start(c)
				require.Nil(t, p)
				require.ErrorIs(t, err, test.cause)
				require.ErrorContains(t, err, c.Path)
			})
		}
	})
}

// A server does not depend on the thread that its start was called on.
func TestOutlivesTheStartingThread(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		started := make(chan *process.Process)
		go func() {
			runtime.LockOSThread() // and never unlock: the thread ends
			started <- start(t, mode, "say:ready", "echo", "exit:0")
		}()
		p := <-started
		require.Equal(t, "ready", readLine(t, p.Stdout()))
		time.Sleep(50 * time.Millisecond) // for the thread to end
		_, err := io.WriteString(p.Stdin(), "still here\n")
		require.NoError(t, err)
		require.Equal(t, "still here", readLine(t, p.Stdout()))
	})
}

func TestTerminateIsShared(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		p := start(t, mode, "say:ready", "sleep")
		readLine(t, p.Stdout())
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if err := p.Terminate(context.Background()); err != nil {
					t.Error(err)
				}
			})
			all.Go(p.Kill)
		}
		all.Wait()
		awaitExit(t, p)
		require.NotEmpty(t, p.Status())
	})
}

func TestTerminateReleasesItsCaller(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM to ignore")
	}
	inEachMode(t, func(t *testing.T, mode process.Command) {
		p := start(t, mode, "ignore-term", "say:ready", "sleep")
		readLine(t, p.Stdout())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, p.Terminate(ctx), context.Canceled)
		require.False(t, errors.Is(p.Terminate(ctx), context.DeadlineExceeded))
		p.Kill()
		terminate(t, p)
		require.NoError(t, p.Terminate(ctx), "it has ended: no need to wait")
		awaitExit(t, p)
		require.Equal(t, "signal: killed", p.Status())
	})
}
