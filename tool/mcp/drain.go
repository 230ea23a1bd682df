package mcp

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

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
