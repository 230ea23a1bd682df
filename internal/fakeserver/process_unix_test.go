//go:build unix

package fakeserver_test

import (
	"io"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// The input closes at once, although a read is under way.
func TestCloseInput(t *testing.T) {
	p, cmd := start(t, on("x", fakeserver.Action{Result: fakeserver.Raw(`1`), CloseInput: true, Raw: "!"}))
	p.ask(1, "x", "")
	mark, err := p.out.ReadByte()
	require.NoError(t, err)
	require.Equal(t, byte('!'), mark)
	require.Equal(t, `1`, p.result(1))
	require.Eventually(t, func() bool {
		_, err := io.WriteString(p.in, frame(`{"method":"y"}`))
		return err != nil
	}, patient, tick)
	require.NoError(t, cmd.Process.Signal(syscall.Signal(0))) // it lives
	p.wait("eof", 0)
}

func TestSignals(t *testing.T) {
	p, cmd := start(t, fakeserver.Script{})
	p.wait("start", 1)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	var status *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &status)
	require.Equal(t, syscall.SIGTERM, status.Sys().(syscall.WaitStatus).Signal())

	p, cmd = start(t, fakeserver.Script{IgnoreSignals: true})
	p.wait("start", 1)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	p.ask(1, "shutdown", "")
	require.Equal(t, `null`, p.result(1))
}

func TestHelper(t *testing.T) {
	for _, kind := range []string{"group", "session"} {
		t.Run(kind, func(t *testing.T) {
			p, cmd := start(t, fakeserver.Script{Helper: kind, HelperHolds: kind == "group"})
			server := p.wait("start", 1)[0].PID
			helper := p.wait("helper", 1)[0].PID
			t.Cleanup(func() { _ = syscall.Kill(helper, syscall.SIGKILL) })
			require.NotEqual(t, server, helper)
			group, err := syscall.Getpgid(helper)
			require.NoError(t, err)
			own, err := syscall.Getpgid(server)
			require.NoError(t, err)
			require.Equal(t, kind == "group", group == own)
			require.NoError(t, syscall.Kill(helper, syscall.SIGTERM))

			require.NoError(t, p.in.Close())
			if kind == "session" { // its pipes end with the server
				_, err := io.ReadAll(p.out)
				require.NoError(t, err)
				require.NoError(t, cmd.Wait())
				require.NoError(t, syscall.Kill(helper, 0), "the helper is gone")
				return
			}
			_, err = cmd.Process.Wait()
			require.NoError(t, err)
			require.NoError(t, syscall.Kill(helper, 0), "the helper is gone")
			require.NoError(t, syscall.Kill(helper, syscall.SIGKILL))
			_, err = io.ReadAll(p.out) // its pipes end with the helper
			require.NoError(t, err)
		})
	}
}
