package rpc

import (
	"context"
	"encoding/json"
)

// Call is a request that was written.
type Call struct {
	id      uint64
	conn    *Conn
	settled chan struct{} // closed once the outcome is set
	outcome outcome
}

// ID is the number that the request went out with.
func (c *Call) ID() uint64 { return c.id }

// Wait returns the result as it came; a null result is the text null. The error
// is an [*Error] for an error response, matches [ErrMalformed] for a reply that
// cannot be used, and [ErrClosed] where none will come. The context ends this
// wait and nothing else: the call stays open, and Wait may be called again.
func (c *Call) Wait(ctx context.Context) (json.RawMessage, error) {
	select {
	case <-c.settled:
	case <-c.conn.Closed():
	case <-ctx.Done():
	}
	switch {
	case c.isSettled(): // what is there counts, whatever ended meanwhile
		return c.outcome.result, c.outcome.err
	case c.conn.Err() != nil:
		return nil, c.conn.Err()
	default:
		return nil, ctx.Err()
	}
}

func (c *Call) isSettled() bool {
	select {
	case <-c.settled:
		return true
	default:
		return false
	}
}
