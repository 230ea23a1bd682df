package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

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
	open    int                   // calls whose answer is not written
	calls   map[jsonrpc.ID]*batch // calls without an answer, with the batch that they came in
	asked   map[jsonrpc.ID]bool   // requests to the client without an answer
	deaf    bool                  // there will be none
	changed chan struct{}         // something of these did
}

type line struct {
	text []byte
	err  error
}

// maxOpen is how many calls may be under way. A client that sends more waits.
const maxOpen = 4096

func newLineConn(stdio Stdio) *lineConn {
	c := &lineConn{
		stdio:   stdio,
		lines:   make(chan line),
		ended:   make(chan struct{}),
		closed:  make(chan struct{}),
		calls:   map[jsonrpc.ID]*batch{},
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

// Read returns the next message that can be used. At the end of the input it waits until
// all that was asked is answered.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.ready) > 0 {
			next := c.ready[0]
			c.ready = c.ready[1:]
			return next, nil
		}
		if err := c.wait(ctx, func() bool { return c.open < maxOpen }); err != nil {
			return nil, err
		}
		select {
		case l, ok := <-c.lines:
			switch {
			case !ok || l.err != nil && !errors.Is(l.err, errTooLong):
				return c.drain(ctx)
			case l.err != nil:
				c.refuse(&fault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("invalid request: a message has at most %d bytes", maxMessageBytes)})
			default:
				c.take(l.text)
			}
		case <-c.ended:
			return c.drain(ctx)
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// drain ends the reading. Whoever waits for the client waits in vain, and is told first.
func (c *lineConn) drain(ctx context.Context) (jsonrpc.Message, error) {
	c.mu.Lock()
	c.deaf = true
	for id := range c.asked {
		delete(c.asked, id)
		c.mu.Unlock()
		return &jsonrpc.Response{ID: id, Error: errDeaf()}, nil
	}
	c.mu.Unlock()
	if err := c.wait(ctx, func() bool { return c.open == 0 }); err != nil {
		return nil, err
	}
	return nil, io.EOF
}

// goneInterval is how often is looked whether a client that sends no more still listens.
const goneInterval = 100 * time.Millisecond

// wait returns when enough calls are answered, with an error if that no longer matters.
func (c *lineConn) wait(ctx context.Context, enough func() bool) error {
	var look <-chan time.Time
	for {
		c.mu.Lock()
		done := enough()
		c.mu.Unlock()
		if done {
			return nil
		}
		if look == nil && c.stdio.Gone != nil {
			tick := time.NewTicker(goneInterval)
			defer tick.Stop()
			look = tick.C
		}
		select {
		case <-c.changed:
		case <-look:
			if c.stdio.Gone() {
				return io.EOF
			}
		case <-c.closed:
			return io.EOF
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take makes what it can of a line, and answers what it cannot use.
func (c *lineConn) take(text []byte) {
	parts, isBatch, wrong := split(text)
	if wrong != nil {
		c.refuse(wrong)
		return
	}
	if !isBatch {
		if wrong := c.accept(parts[0], nil); wrong != nil {
			c.refuse(wrong)
		}
		return
	}
	b := &batch{missing: 1} // until all of it is read
	for _, part := range parts {
		if wrong := c.accept(part, b); wrong != nil {
			b.add(wrong.answer())
		}
	}
	if all := b.settle(); all != nil {
		_ = c.writeLine(all) // a client that is gone needs no answer
	}
}

// accept makes a message ready to be read.
func (c *lineConn) accept(text json.RawMessage, b *batch) *fault {
	message, wrong := decode(text)
	if wrong != nil {
		return wrong
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch message := message.(type) {
	case *jsonrpc.Response:
		delete(c.asked, message.ID)
	case *jsonrpc.Request:
		if !message.IsCall() {
			break
		}
		if _, used := c.calls[message.ID]; used {
			return inUse(message.ID)
		}
		if !isSubscription(message) { // these end with the connection
			c.calls[message.ID] = b
			c.open++
			b.expect()
		}
	}
	c.ready = append(c.ready, message)
	return nil
}

func isSubscription(call *jsonrpc.Request) bool { return call.Method == "subscriptions/listen" }

func (c *lineConn) refuse(wrong *fault) {
	_ = c.writeLine(wrong.answer()) // a client that is gone needs no answer
}

// Write sends a message.
func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	switch message := message.(type) {
	case *jsonrpc.Response:
		return c.respond(message.ID, text)
	case *jsonrpc.Request:
		if err := c.ask(message); err != nil {
			return err
		}
	}
	return c.writeLine(text)
}

// respond sends an answer. Its id is free before the client can know of it, and the call is
// over when the answer is written.
func (c *lineConn) respond(id jsonrpc.ID, text []byte) error {
	c.mu.Lock()
	b, known := c.calls[id]
	delete(c.calls, id)
	c.mu.Unlock()
	if known {
		defer c.answered()
	}
	if b != nil {
		b.add(text)
		if text = b.settle(); text == nil {
			return nil
		}
	}
	return c.writeLine(text)
}

func (c *lineConn) answered() {
	c.mu.Lock()
	c.open--
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// ask notes a request to the client.
func (c *lineConn) ask(request *jsonrpc.Request) error {
	if !request.IsCall() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deaf {
		return errDeaf()
	}
	c.asked[request.ID] = true
	return nil
}

// errDeaf has the code by which the library knows that only this request failed.
func errDeaf() error {
	return &jsonrpc.Error{Code: -32005, Message: "the client sends no more, so it cannot be asked"}
}

func (c *lineConn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.stdio.Out.Write(append(text, '\n'))
	return err
}
