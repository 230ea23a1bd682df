package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const patience = 20 * time.Second // only ever waited for by a test that fails

// peer is the server's side of a connection under test.
type peer struct {
	t      *testing.T
	conn   *Conn
	stdout *io.PipeWriter
	heard  chan string // bodies that the client wrote
	failed chan error
}

func connect(t *testing.T, o Options) *peer {
	t.Helper()
	fromServer, stdout := io.Pipe()
	stdin, toServer := io.Pipe()
	p := &peer{t: t, stdout: stdout, heard: make(chan string, 1000), failed: make(chan error, 10)}
	if o.MaxMessageBytes == 0 {
		o.MaxMessageBytes = 1000
	}
	o.OnFail = func(cause error) { p.failed <- cause }
	go p.listen(stdin)
	p.conn = NewConn(fromServer, toServer, o)
	t.Cleanup(func() {
		require.NoError(t, p.conn.Close())
		stdout.Close()
	})
	return p
}

// listen takes one frame a read, as A-098 promises.
func (p *peer) listen(stdin io.Reader) {
	defer close(p.heard)
	buffer := make([]byte, 1<<20)
	for {
		n, err := stdin.Read(buffer)
		if err != nil {
			return
		}
		var length int
		var body string
		if _, err := fmt.Sscanf(string(buffer[:n]), "Content-Length: %d\r\n\r\n", &length); err == nil && length <= n {
			body = string(buffer[n-length : n])
		}
		if string(buffer[:n]) != frame(body) {
			body = "not one frame: " + string(buffer[:n])
		}
		p.heard <- body
	}
}

func (p *peer) say(bodies ...string) {
	p.t.Helper()
	for _, body := range bodies {
		p.print(frame(body))
	}
}

// mutter is say towards a client that may hang up meanwhile.
func (p *peer) mutter(body string) { _, _ = io.WriteString(p.stdout, frame(body)) }

func (p *peer) print(raw string) {
	p.t.Helper()
	_, err := io.WriteString(p.stdout, raw)
	require.NoError(p.t, err)
}

func (p *peer) hear() string {
	p.t.Helper()
	select {
	case body := <-p.heard:
		return body
	case <-time.After(patience):
		require.FailNow(p.t, "the client wrote nothing")
		return ""
	}
}

func (p *peer) call(method string) *Call {
	p.t.Helper()
	call, err := p.conn.Call(method, nil)
	require.NoError(p.t, err)
	p.hear()
	return call
}

// alive proves that a reply still arrives.
func (p *peer) alive() {
	p.t.Helper()
	call := p.call("ping")
	p.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"pong"}`, call.ID()))
	result, err := wait(p.t, call)
	require.NoError(p.t, err)
	require.Equal(p.t, `"pong"`, string(result))
}

func (p *peer) ended() error {
	p.t.Helper()
	select {
	case <-p.conn.Closed():
		return p.conn.Err()
	case <-time.After(patience):
		require.FailNow(p.t, "the connection did not end")
		return nil
	}
}

func wait(t *testing.T, call *Call) (json.RawMessage, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return call.Wait(ctx)
}

func frame(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

var errTimeout = os.ErrDeadlineExceeded

// stuckWriter is a pipe to a server that does not read, until it is killed.
type stuckWriter struct {
	block   atomic.Bool
	entered chan struct{}
	killed  chan struct{}
}

func (s *stuckWriter) Write(p []byte) (int, error) {
	s.entered <- struct{}{}
	if s.block.Load() {
		<-s.killed
		if s.block.Load() {
			return 0, io.ErrClosedPipe
		}
	}
	return len(p), nil
}

func (s *stuckWriter) Close() error { return nil }
