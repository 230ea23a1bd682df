package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Options bound a connection and say who listens.
type Options struct {
	// MaxMessageBytes is the largest body that is taken from the server. A
	// larger one is read past, and fails at most its own request.
	MaxMessageBytes int

	// WriteTimeout ends the connection when a single write takes longer.
	// Zero means no limit.
	WriteTimeout time.Duration

	// OnFail is called once when the connection fails, with the first cause,
	// on a goroutine of its own; not after Close. It must end the server: on
	// some systems nothing else frees a write that is stuck.
	OnFail func(cause error)

	// OnNotification runs on the read loop, in the order of arrival. It must
	// not block and must not wait for a call, and it may run before NewConn has
	// returned. Params are nil when absent or null.
	OnNotification func(method string, params json.RawMessage)

	// OnRequest answers a request of the server. One runs at a time, in the
	// order of arrival, off the read loop; the context ends with the
	// connection. Nil answers every request that there is no such method.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (any, *Error)

	// OnMessage sees every message of both sides in the order of the wire: right before it is
	// written, or as soon as it was read. It must not block, nor change the body, which is nil
	// where it was too large to keep. Nil costs nothing.
	OnMessage func(sent bool, body []byte, size int)
}

// Conn is a connection to one language server. All methods may be called from
// any goroutine.
type Conn struct {
	in       *frameReader
	out      *frameWriter
	requests *requestQueue

	onFail         func(error)
	onNotification func(string, json.RawMessage)
	onRequest      func(context.Context, string, json.RawMessage) (any, *Error)

	life    context.Context // its cause is the *ClosedError
	end     context.CancelCauseFunc
	ending  sync.Once
	closers []io.Closer

	mu     sync.Mutex
	lastID uint64
	open   map[uint64]*Call // calls without an outcome
}

// NewConn starts to read from the server. The connection owns w, and r where
// that is an [io.Closer]: both are closed when it ends, however it ends.
func NewConn(r io.Reader, w io.WriteCloser, o Options) *Conn {
	c := &Conn{
		in:             newFrameReader(r, o.MaxMessageBytes),
		requests:       newRequestQueue(o.MaxMessageBytes),
		onFail:         o.OnFail,
		onNotification: o.OnNotification,
		onRequest:      o.OnRequest,
		closers:        []io.Closer{w},
		open:           map[uint64]*Call{},
	}
	if closer, ok := r.(io.Closer); ok {
		c.closers = append(c.closers, closer)
	}
	c.in.seen = o.OnMessage
	c.out = &frameWriter{w: w, fail: c.failAfterLastWords, failed: c.Err, seen: o.OnMessage}
	c.out.watch = watchdog{limit: o.WriteTimeout, late: func() {
		c.fail(fmt.Errorf("the server took no input for %v: %w", o.WriteTimeout, os.ErrDeadlineExceeded))
	}}
	c.life, c.end = context.WithCancelCause(context.Background())
	go c.read()
	go c.serve()
	return c
}

// Call sends a request and returns once it is written. Ids count from 1. Params
// that are nil are left out.
func (c *Conn) Call(method string, params any) (*Call, error) {
	raw, err := encodeParams(method, params)
	if err != nil {
		return nil, err
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	call := c.register()
	if err := c.out.write(requestBody(call.id, method, raw)); err != nil {
		return nil, c.because(err) // the connection is gone, and the call with it
	}
	return call, nil
}

// Notify sends a notification and returns once it is written.
func (c *Conn) Notify(method string, params any) error {
	raw, err := encodeParams(method, params)
	if err != nil {
		return err
	}
	if err := c.Err(); err != nil {
		return err
	}
	return c.because(c.out.write(requestBody(0, method, raw)))
}

// Cancel asks the server to drop a call. The call stays open until a reply
// comes; one that is settled is left alone.
func (c *Conn) Cancel(call *Call) error {
	if call.isSettled() {
		return nil
	}
	return c.Notify("$/cancelRequest", struct {
		ID uint64 `json:"id"`
	}{call.id})
}

// Closed is closed when the connection is gone; Err says why.
func (c *Conn) Closed() <-chan struct{} { return c.life.Done() }

// Err is nil while the connection lives, then the [*ClosedError] with its first
// cause.
func (c *Conn) Err() error { return context.Cause(c.life) }

// Close ends the connection and fails every open call. It does not wait for
// the server. It returns nil always, as an [io.Closer].
func (c *Conn) Close() error {
	c.finish(ErrClosedHere, nil)
	return nil
}

// Counters tell how much of the server's output was read past.
type Counters struct {
	StrayBytes      uint64 // text on stdout that was no message
	StrayText       string // how the first of it begins, in quotes
	SkippedMessages uint64 // messages over the limit or not UTF-8
}

// Counters may be read at any time, also after the end.
func (c *Conn) Counters() Counters {
	counters := Counters{StrayBytes: c.in.stray.Load(), SkippedMessages: c.in.skipped.Load()}
	if text := c.in.header.first.Load(); text != nil {
		counters.StrayText = *text
	}
	return counters
}

func (c *Conn) fail(cause error) { c.finish(cause, c.onFail) }

// lastWords is how long a server that took no input may have more to say.
const lastWords = 500 * time.Millisecond

// failAfterLastWords fails the connection after a write did. A server that has ended may have
// left a reply, or the reason, which is not read yet; then its end is the cause.
func (c *Conn) failAfterLastWords(cause error) {
	select {
	case <-c.Closed():
	case <-time.After(lastWords):
	}
	c.fail(cause)
}

// finish ends the connection, the first time; that wakes whoever waits for a call.
// Closing a pipe may have to wait for a stuck write, so the owner is told before,
// and nobody waits for either.
func (c *Conn) finish(cause error, tell func(error)) {
	c.ending.Do(func() {
		c.end(&ClosedError{Cause: cause})
		go func() {
			if tell != nil {
				tell(cause)
			}
			c.out.watch.stop()
			for _, closer := range c.closers {
				_ = closer.Close() // the cause is known already
			}
		}()
	})
}

// because replaces what came of the end of the connection by its first cause.
func (c *Conn) because(err error) error {
	if closed := c.Err(); err != nil && closed != nil {
		return closed
	}
	return err
}

func (c *Conn) register() *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	call := &Call{id: c.lastID, conn: c, settled: make(chan struct{})}
	c.open[call.id] = call
	return call
}

// settle gives an open call its outcome.
func (c *Conn) settle(id uint64, o outcome) {
	c.mu.Lock()
	call := c.open[id]
	delete(c.open, id)
	c.mu.Unlock()
	if call != nil {
		call.outcome = o
		close(call.settled)
	}
}
