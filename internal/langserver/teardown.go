package langserver

import (
	"context"
	"time"

	"github.com/navseam/navseam/internal/rpc"
)

// killWait bounds the wait for processes after SIGKILL.
const killWait = 5 * time.Second

// teardown ends the server: shutdown and exit where it has shaken hands, within
// ShutdownTimeout, and then the signal ladder for whatever is left. Every wait is
// bounded.
func (s *Server) teardown(broke bool) error {
	switch {
	case s.process == nil:
		return nil
	case broke:
		s.end.cause = s.lost(s.conn.Err())
	case s.startErr == nil:
		s.leave()
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.config.KillGrace+killWait)
	defer cancel()
	left := s.process.Terminate(ctx)
	_ = s.conn.Close() // the process is gone: there is nothing to lose
	if skipped := s.conn.Counters(); skipped != (rpc.Counters{}) {
		s.config.Log.Warn("language server wrote what is no message, or too large a one",
			"server", s.config.ID, "strayBytes", skipped.StrayBytes, "skippedMessages", skipped.SkippedMessages)
	}
	if left != nil {
		s.config.Log.Error("language server left processes behind", "server", s.config.ID, "error", left)
	}
	return left
}

// settleWait is how long a server that ends may go on with the query under way.
const settleWait = 500 * time.Millisecond

// leave asks the server to end itself and gives it the time to. What goes wrong here
// is what the signal ladder is for. A server that does not even settle a query that was
// given up is not asked.
func (s *Server) leave() {
	select {
	case s.asked <- struct{}{}:
		defer func() { <-s.asked }()
	case <-time.After(settleWait):
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.config.ShutdownTimeout)
	defer cancel()
	if s.closing(ctx) != nil {
		return
	}
	_ = s.process.Stdin().Close() // some servers end only at the end of their input
	select {
	case <-s.process.Exited():
	case <-ctx.Done():
	}
}

// closing sends shutdown and exit. The sending has a goroutine of its own, because a
// write to a server that does not read lasts until the connection ends.
func (s *Server) closing(ctx context.Context) error {
	sent := make(chan error, 1)
	go func() {
		if _, err := s.call(ctx, "shutdown", nil); err != nil {
			sent <- err
			return
		}
		sent <- s.conn.Notify("exit", nil)
	}()
	select {
	case err := <-sent:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
