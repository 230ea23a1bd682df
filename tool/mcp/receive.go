package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

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
			c.note(message)
			break
		}
		if c.calls[message.ID] != nil {
			return inUse(message.ID)
		}
		if !isSubscription(message) { // these end with the connection
			c.calls[message.ID] = &openCall{batch: b}
			c.open++
			b.expect()
		}
	}
	c.ready = append(c.ready, message)
	return nil
}

// note sees which calls the client no longer wants to be answered.
func (c *lineConn) note(notification *jsonrpc.Request) {
	if notification.Method != methodCancelled {
		return
	}
	id, err := cancelledID(notification.Params)
	if call := c.calls[id]; err == nil && call != nil {
		call.cancelled = true
	}
}

func isSubscription(call *jsonrpc.Request) bool { return call.Method == "subscriptions/listen" }

func (c *lineConn) refuse(wrong *fault) {
	_ = c.writeLine(wrong.answer()) // a client that is gone needs no answer
}
