package fakeserver_test

import (
	"bufio"
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

// patient is how long a test waits for what must happen, and tick how often it looks.
const (
	patient = 60 * time.Second
	tick    = 5 * time.Millisecond
)

// peer is the client of one server.
type peer struct {
	t      *testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	stderr io.Reader
	log    string
	status chan int // of a server inside the test
}

// run runs the script inside the test.
func run(t *testing.T, script fakeserver.Script) *peer {
	t.Helper()
	script.Log = filepath.Join(t.TempDir(), "log")
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	words, stderr := io.Pipe()
	p := &peer{t, in, bufio.NewReader(out), words, script.Log, make(chan int, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.status <- fakeserver.Run(t.Context(), script, stdin, stdout, stderr)
		stdin.Close()
		stdout.Close()
		stderr.Close()
	}()
	t.Cleanup(func() { // the context has ended by now
		out.Close()
		words.Close()
		<-ended
	})
	return p
}

// start runs the script as a process.
func start(t *testing.T, script fakeserver.Script) (*peer, *exec.Cmd) {
	t.Helper()
	script.Log = filepath.Join(t.TempDir(), "log")
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
	return &peer{t: t, in: in, out: bufio.NewReader(out), log: script.Log}, cmd
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func (p *peer) write(text string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, text)
	require.NoError(p.t, err)
}

func (p *peer) send(body string) {
	p.t.Helper()
	p.write(frame(body))
}

func (p *peer) open(uri, text string, version int) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":%d,"text":%q}}}`, uri, version, text))
}

func (p *peer) ask(id int, method, uri string) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"textDocument":{"uri":%q}}}`, id, method, uri))
}

func (p *peer) receive() string {
	p.t.Helper()
	var length int
	for {
		line, err := p.out.ReadString('\n')
		require.NoError(p.t, err)
		if strings.TrimSpace(line) == "" {
			break
		}
		_, err = fmt.Sscanf(line, "Content-Length: %d", &length)
		require.NoError(p.t, err, "%q", line)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(p.out, body)
	require.NoError(p.t, err)
	return string(body)
}

// result receives the answer with that id and returns its result.
func (p *peer) result(id int) string {
	p.t.Helper()
	body := p.receive()
	head := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":`, id)
	require.True(p.t, strings.HasPrefix(body, head), "%s", body)
	return strings.TrimSuffix(strings.TrimPrefix(body, head), "}")
}

// ends waits for the end of a server inside the test.
func (p *peer) ends() int {
	p.t.Helper()
	select {
	case status := <-p.status:
		return status
	case <-time.After(patient):
		require.Fail(p.t, "the server goes on")
		return -1
	}
}

// wait waits for that many events of a method and returns them.
func (p *peer) wait(method string, count int) []fakeserver.Event {
	p.t.Helper()
	all, err := fakeserver.WaitLog(p.log, patient, func(e []fakeserver.Event) bool { return fakeserver.Count(e, method) >= count })
	require.NoError(p.t, err)
	var events []fakeserver.Event
	for _, e := range all {
		if e.Method == method {
			events = append(events, e)
		}
	}
	require.Len(p.t, events, count, "%s", method)
	return events
}

// on is a script for one method.
func on(method string, actions ...fakeserver.Action) fakeserver.Script {
	return fakeserver.Script{On: map[string][]fakeserver.Action{method: actions}}
}
