package mcp

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio is the two ends of a client that started this process.
type Stdio struct {
	In  io.Reader
	Out io.Writer

	// Gone reports whether nobody reads Out any more. Nil where that cannot be known before
	// something is written.
	Gone func() bool
}

// lineConn speaks to a client in lines. The library's own transport ends at the first bad
// line, and drops the answers that are being made when the input ends.
//
// The goroutine that reads the input ends with it: nothing else ends a read from a pipe.
type lineConn struct {
	stdio Stdio
	lines chan line
	ready []jsonrpc.Message // of a batch; only Read has it

	ended  chan struct{} // nothing more is read
	closed chan struct{} // nothing is waited for
	end    func()
	finish func()

	writing sync.Mutex

	mu      sync.Mutex
	open    int                      // calls whose answer is not written
	calls   map[jsonrpc.ID]*openCall // calls without an answer
	asked   map[jsonrpc.ID]bool      // requests to the client without an answer
	deaf    bool                     // there will be none
	changed chan struct{}            // something of these did
}

type line struct {
	text []byte
	err  error
}

// openCall is a call without an answer.
type openCall struct {
	batch     *batch // that it came in, or nil
	cancelled bool   // by the client, which then wants no answer
}

// maxOpen is how many calls may be under way. A client that sends more waits.
const maxOpen = 4096

func newLineConn(stdio Stdio) *lineConn {
	c := &lineConn{
		stdio:   stdio,
		lines:   make(chan line),
		ended:   make(chan struct{}),
		closed:  make(chan struct{}),
		calls:   map[jsonrpc.ID]*openCall{},
		asked:   map[jsonrpc.ID]bool{},
		changed: make(chan struct{}, 1),
	}
	c.end = sync.OnceFunc(func() { close(c.ended) })
	c.finish = sync.OnceFunc(func() { close(c.closed) })
	go c.readLines()
	return c
}

func (c *lineConn) readLines() {
	defer close(c.lines)
	in := newLineReader(c.stdio.In)
	for {
		text, err := in.next()
		select {
		case c.lines <- line{text, err}:
		case <-c.ended:
			return
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// Connect makes it its own transport.
func (c *lineConn) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is empty: there is one client.
func (c *lineConn) SessionID() string { return "" }

// Close ends the connection without waiting for anything.
func (c *lineConn) Close() error {
	c.finish()
	return nil
}
