package fakeserver_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

func TestMain(m *testing.M) {
	fakeserver.Main()
	os.Exit(m.Run())
}

// peer talks to a server over bare pipes.
type peer struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, script fakeserver.Script) *peer {
	path, args, err := fakeserver.Command(script)
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &peer{t, cmd, in, bufio.NewReader(out)}
}

func (p *peer) send(body string) {
	_, err := fmt.Fprintf(p.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(p.t, err)
}

func (p *peer) receive() string {
	var length int
	for {
		line, err := p.out.ReadString('\n')
		require.NoError(p.t, err)
		if strings.TrimSpace(line) == "" {
			break
		}
		_, err = fmt.Sscanf(line, "Content-Length: %d", &length)
		require.NoError(p.t, err)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(p.out, body)
	require.NoError(p.t, err)
	return string(body)
}

func TestWellBehaved(t *testing.T) {
	p := start(t, fakeserver.Script{RequireOpen: true})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///w"}}`)
	require.Contains(t, p.receive(), `"hoverProvider":true`)
	ask := `{"jsonrpc":"2.0","id":2,"method":"textDocument/definition","params":{"textDocument":{"uri":"file:///w/a"}}}`
	p.send(ask)
	require.Contains(t, p.receive(), "not open")
	p.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a","version":1,"text":"x"}}}`)
	p.send(ask)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":2,"result":{"uri":"file:///w/a","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}}`, p.receive())
	p.send(`{"jsonrpc":"2.0","id":"s","method":"shutdown"}`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"s","result":null}`, p.receive())
	p.send(`{"jsonrpc":"2.0","method":"exit"}`)
	require.NoError(t, p.cmd.Wait())
}

func TestScripted(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	p := start(t, fakeserver.Script{
		Log: log,
		On: map[string][]fakeserver.Action{
			"textDocument/hover": {
				{Ask: []fakeserver.Message{{ID: fakeserver.Raw(`"q"`), Method: "workspace/configuration", Params: fakeserver.Raw(`{"items":[]}`)}}, Result: fakeserver.Raw(`{"contents":"$version $text"}`)},
				{DelayMS: 60_000},
				{Reply: `{"id":$id,"result":"$uri"}`},
				{Raw: "noise\n", Pad: 3, IDLast: true, Locations: 2},
				{Exit: fakeserver.Exit(3)},
			},
		},
	})
	p.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":7,"text":"a\"b"}}}`)
	hover := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"u"}}}`, id)
	}
	p.send(hover(1))
	require.Contains(t, p.receive(), `"workspace/configuration"`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"contents":"7 a\"b"}}`, p.receive())
	p.send(`{"id":"q","result":[5]}`)
	p.send(hover(2))
	p.send(`{"method":"$/cancelRequest","params":{"id":2}}`)
	require.Contains(t, p.receive(), "-32800")
	p.send(hover(3))
	require.JSONEq(t, `{"id":3,"result":"u"}`, p.receive())
	p.send(hover(4))
	line, err := p.out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "noise\n", line)
	body := p.receive()
	require.True(t, strings.HasSuffix(body, `"id":4}`), body)
	var reply struct {
		Pad    string
		Result []any
	}
	require.NoError(t, json.Unmarshal([]byte(body), &reply))
	require.Equal(t, "xxx", reply.Pad)
	require.Len(t, reply.Result, 2)
	p.send(hover(5))
	var status *exec.ExitError
	require.ErrorAs(t, p.cmd.Wait(), &status)
	require.Equal(t, 3, status.ExitCode())

	events, err := fakeserver.WaitLog(log, 10*time.Second, func(e []fakeserver.Event) bool { return fakeserver.Count(e, "textDocument/hover") == 5 })
	require.NoError(t, err)
	require.Equal(t, "start", events[0].Method)
	require.Equal(t, p.cmd.Process.Pid, events[0].PID)
	require.Equal(t, 1, fakeserver.Count(events, "reply"))
	require.Equal(t, 1, fakeserver.Count(events, "$/cancelRequest"))
	require.Equal(t, 5, fakeserver.Count(events, "textDocument/hover"))
}
