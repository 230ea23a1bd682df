package fakeserver_test

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

func TestProcess(t *testing.T) {
	p, cmd := start(t, on("x", fakeserver.Action{Result: fakeserver.Raw(`null`)}, fakeserver.Action{Exit: fakeserver.Exit(3)}))
	require.Equal(t, cmd.Process.Pid, p.wait("start", 1)[0].PID)
	p.ask(1, "x", "")
	require.Equal(t, `null`, p.result(1))
	p.ask(2, "x", "")
	var status *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &status)
	require.Equal(t, 3, status.ExitCode())
	p.wait("x", 2)
}

// What the argument cannot carry unharmed would be a fault that never happens.
func TestScriptTravelsUnharmed(t *testing.T) {
	p, _ := start(t, on("start", fakeserver.Action{Raw: "\x00é\r\n", Bytes: []byte("\xff"), Exit: fakeserver.Exit(0)}))
	got, err := io.ReadAll(p.out)
	require.NoError(t, err)
	require.Equal(t, "\x00é\r\n\xff", string(got))

	p, _ = start(t, on("x", fakeserver.Action{Result: fakeserver.Raw("\"\xff\"")}))
	p.ask(1, "x", "")
	require.Equal(t, "\"\xff\"", p.result(1))
}

func TestBadScripts(t *testing.T) {
	_, _, err := fakeserver.Command(on("x", fakeserver.Action{Result: fakeserver.Raw(`{`)}))
	require.ErrorContains(t, err, "JSON")

	path, args, err := fakeserver.Command(fakeserver.Script{})
	require.NoError(t, err)
	for name, bad := range map[string][]string{
		"no script":    args[:1],
		"no JSON":      {args[0], "{"},
		"unknown name": {args[0], `{"IgnoreEverything":true}`},
	} {
		out, err := exec.Command(path, bad...).CombinedOutput()
		var status *exec.ExitError
		require.ErrorAs(t, err, &status, name)
		require.Equal(t, 2, status.ExitCode(), name)
		require.True(t, strings.HasPrefix(string(out), "fakeserver: "), "%s: %s", name, out)
	}
}

// A server that hangs leaves the client with a pipe that fills up.
func TestHang(t *testing.T) {
	p, _ := start(t, on("x", fakeserver.Action{Result: fakeserver.Raw(`1`), Hang: true}))
	p.ask(1, "x", "")
	require.Equal(t, `1`, p.result(1))
	require.NoError(t, p.in.(*os.File).SetWriteDeadline(time.Now().Add(200*time.Millisecond)))
	_, err := io.WriteString(p.in, frame(`"`+strings.Repeat("x", 4<<20)+`"`))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestCloseOut(t *testing.T) {
	p, _ := start(t, on("x", fakeserver.Action{Result: fakeserver.Raw(`1`), CloseOut: true}))
	p.ask(1, "x", "")
	require.Equal(t, `1`, p.result(1))
	_, err := p.out.ReadByte()
	require.Equal(t, io.EOF, err)
	p.send(`{"method":"y"}`)
	p.wait("y", 1) // it lives
}

func TestIgnoreEOF(t *testing.T) {
	script := on("eof", fakeserver.Action{Raw: "so what"})
	script.IgnoreEOF = true
	p, _ := start(t, script)
	require.NoError(t, p.in.Close())
	got := make([]byte, len("so what"))
	_, err := io.ReadFull(p.out, got)
	require.NoError(t, err)
	require.Equal(t, "so what", string(got))
	p.wait("eof", 1)
}

// The first process is told from the later ones by the log.
func TestAgain(t *testing.T) {
	script := on("start", fakeserver.Action{Exit: fakeserver.Exit(1)})
	script.Again = &fakeserver.Script{On: map[string][]fakeserver.Action{"start": {{Exit: fakeserver.Exit(2)}}}}
	require.Equal(t, 2, fakeserver.Run(t.Context(), script, nil, nil, discard{io.Discard}), "without a log")
	script.Log = t.TempDir() + "/log"
	for _, want := range []int{1, 2, 2} {
		require.Equal(t, want, fakeserver.Run(t.Context(), script, nil, discard{io.Discard}, discard{io.Discard}))
	}
	script.Again.On["start"][0].Exit = fakeserver.Exit(9)
	require.Equal(t, 9, fakeserver.Run(t.Context(), script, nil, discard{io.Discard}, discard{io.Discard}))
}
