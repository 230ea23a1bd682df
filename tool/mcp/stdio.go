package mcp

import (
	"context"
	"fmt"
	"time"
)

// ServeStdio answers one client until it has sent all and has all its answers, or until ctx
// ends: then calls that are under way answer that they were cancelled.
func (s *Server) ServeStdio(ctx context.Context, stdio Stdio) error {
	conn := newLineConn(stdio)
	defer conn.finish()
	session, err := s.sdk.Connect(context.WithoutCancel(ctx), conn, nil)
	if err != nil {
		return fmt.Errorf("the session could not begin: %w", err)
	}
	over := make(chan error, 1)
	go func() { over <- session.Wait() }()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	conn.end()
	s.end(errEnding())
	select {
	case err := <-over:
		return err
	case <-time.After(endLimit): // a client that does not read holds nobody up
		return nil
	}
}
