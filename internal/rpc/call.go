package rpc

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"
)

// Call is a request that was written.
type Call struct {
	id     uint64
	conn   *Conn
	waiter jsonrpc2.Waiter

	outcome *outcome // under conn.mu; set once
}

// ID is the number that the request went out with.
func (c *Call) ID() uint64 { return c.id }

// Wait returns the result as it came; a null result is the text null. The error
// is an [*Error] for an error response, matches [ErrMalformed] for a reply that
// cannot be used, and [ErrClosed] where none will come. The context ends this
// wait and nothing else: the call stays open, and Wait may be called again.
func (c *Call) Wait(ctx context.Context) (json.RawMessage, error) {
	err := c.waiter.Wait(ctx, nil)
	// Whatever the library says: it says closed to a second wait, and to one
	// whose reply was read right before the end. What was decoded counts.
	if o := c.conn.outcomeOf(c); o != nil {
		return o.result, o.err
	}
	if errors.Is(err, jsonrpc2.ErrClosed) {
		err = c.conn.Err()
	}
	return nil, err
}
