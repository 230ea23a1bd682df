package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
)

const queuedRequests = 1024 // far above any burst of an honest server

// requestQueue holds requests of the server until their turn. Bounded by number
// and by bytes: a server that asks faster than it reads answers is not kept.
// The read loop cannot wait for room, a handler may be waiting for a reply.
type requestQueue struct {
	c        chan *message
	bytes    atomic.Int64
	maxBytes int64
}

var errTooManyRequests = errors.New("the server sent more requests than it read answers")

func newRequestQueue(maxBytes int) *requestQueue {
	return &requestQueue{c: make(chan *message, queuedRequests), maxBytes: int64(maxBytes)}
}

func (q *requestQueue) add(m message) error {
	if q.bytes.Add(m.size()) > q.maxBytes {
		return errTooManyRequests
	}
	select {
	case q.c <- &m:
		return nil
	default:
		return errTooManyRequests
	}
}

func (m message) size() int64 { return int64(len(m.id) + len(m.method) + len(m.params)) }

// read deals with all that the server says, in order, until the connection ends.
func (c *Conn) read() {
	for {
		m, err := c.in.next()
		if err == nil {
			err = c.Err()
		}
		if err == nil {
			err = c.take(m)
		}
		if err != nil {
			c.fail(err)
			return
		}
	}
}

// take hands a message of the server to whom it concerns. It never blocks on
// anything but the notification handler.
func (c *Conn) take(m message) error {
	switch m.kind {
	case reply:
		c.settle(m.call, m.outcome)
	case request:
		return c.requests.add(m)
	case notification:
		if c.onNotification != nil {
			c.onNotification(m.method, m.params)
		}
	}
	return nil
}

// serve answers requests one at a time, in order, until the connection is gone.
// It runs off the read loop, so that a handler may call the server.
func (c *Conn) serve() {
	for {
		select {
		case m := <-c.requests.c:
			c.requests.bytes.Add(-m.size())
			if c.Err() == nil {
				c.answer(*m)
			}
		case <-c.Closed():
			return
		}
	}
}

// answer ignores a failed write: it has failed the connection already.
func (c *Conn) answer(m message) {
	result, failure := c.handle(m)
	response := outgoing{Version: "2.0", ID: m.id, Result: result, Error: failure}
	body, err := encode(response)
	if err != nil { // the error's data
		response.Error = &Error{Code: CodeInternalError, Message: err.Error()}
		body, _ = encode(response)
	}
	_ = c.out.write(body)
}

func (c *Conn) handle(m message) (json.RawMessage, *Error) {
	if m.refusal != nil {
		return nil, m.refusal
	}
	if c.onRequest == nil {
		return nil, &Error{Code: CodeMethodNotFound, Message: fmt.Sprintf("no handler for %q", m.method)}
	}
	result, failure := c.onRequest(c.life, m.method, m.params)
	if failure != nil {
		return nil, failure
	}
	raw, err := encode(result)
	if err != nil {
		return nil, &Error{Code: CodeInternalError, Message: fmt.Sprintf("result of %s: %v", m.method, err)}
	}
	return raw, nil
}
