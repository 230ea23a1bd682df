package langserver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/navseam/navseam/internal/rpc"
	"github.com/navseam/navseam/seam"
)

// errLost is in the chain of every failure that the transport's end caused.
var errLost = errors.New("connection lost")

// Lost reports whether a query failed because its server died: a fresh one may answer.
func Lost(err error) bool { return errors.Is(err, errLost) }

// fault names the failure of one request while the connection lives.
func (s *Server) fault(method string, err error) *seam.Error {
	var reply *rpc.Error
	switch {
	case errors.As(err, &reply):
		return seam.Errorf(seam.CodeProviderFailed, "server %q answered %s with an error: %w", s.config.ID, method,
			&seam.ServerError{Code: reply.Code, Message: reply.Message, Data: reply.Data})
	case errors.Is(err, rpc.ErrMalformed):
		return seam.Errorf(seam.CodeMalformedResponse, "server %q gave no usable answer to %s: %w", s.config.ID, method, err)
	default:
		return seam.Errorf(seam.CodeProviderFailed, "server %q: %s: %w", s.config.ID, method, err)
	}
}

// endedByUs reports whether the connection failed before the process did: not at the end of
// its output, and not at a pipe that nobody reads any more, or that was closed with the process.
func endedByUs(cause error) bool {
	return !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) &&
		!errors.Is(cause, syscall.EPIPE) && !errors.Is(cause, os.ErrClosed) && !errors.Is(cause, rpc.ErrClosedHere)
}

// lost names the end of the transport. It waits until the process is gone, so that the
// exit status and the last words on stderr are there, and the next server finds nothing
// of this one.
func (s *Server) lost(cause error) *seam.Error {
	s.process.Kill()
	select {
	case <-s.process.Exited():
	case <-time.After(killWait): // not even SIGKILL helps: say what is known
	}
	message, reason := fmt.Sprintf("language server exited: server %q: %s", s.config.ID, s.process.Status()), seam.ReasonExit
	switch {
	case errors.Is(cause, rpc.ErrFraming):
		reason = seam.ReasonBreach
		message = fmt.Sprintf("server %q broke the protocol and was ended: %v", s.config.ID, cause)
	case endedByUs(cause):
		reason = ""
		message = fmt.Sprintf("server %q was ended: %v", s.config.ID, cause)
	}
	return s.withStderr(&seam.Error{
		Code:      seam.CodeProviderFailed,
		Message:   message,
		Reason:    reason,
		Retryable: true,
		Err:       errors.Join(errLost, cause),
	})
}
