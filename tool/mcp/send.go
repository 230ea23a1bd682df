package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

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
	call := c.calls[id]
	delete(c.calls, id)
	c.mu.Unlock()
	if call == nil {
		return c.writeLine(text)
	}
	defer c.answered()
	switch {
	case call.batch != nil:
		call.batch.add(text)
		if text = call.batch.settle(); text == nil {
			return nil
		}
	case call.cancelled:
		return nil
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
