package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/navseam/navseam/internal/rpc"
	"github.com/navseam/navseam/seam"
)

// Error codes of the protocol by which a server says that the same request may succeed later.
const (
	contentModified = -32801
	serverCancelled = -32802
)

// The back-off between tries of such a request.
const (
	firstPause = 20 * time.Millisecond
	maxPause   = time.Second
)

// request sends the question and waits for the reply, also after ctx is done. What the server
// only refuses for now is asked again, for as long as a query goes on to ask.
func (s *Server) request(ctx context.Context, q Query) (json.RawMessage, error) {
	began := time.Now()
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		raw, err := s.exchange(ctx, q)
		if !passing(err) || time.Since(began) > s.config.ReadyTimeout {
			return raw, err
		}
		select {
		case <-time.After(pause):
		case <-s.conn.Closed():
			return nil, s.conn.Err()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// passing reports whether a server refused a request only for now.
func passing(err error) bool {
	var reply *rpc.Error
	return errors.As(err, &reply) && (reply.Code == contentModified || reply.Code == serverCancelled)
}

// exchange is one request and its reply.
func (s *Server) exchange(ctx context.Context, q Query) (json.RawMessage, error) {
	params := queryParams{TextDocument: textDocumentIdentifier{q.Source.URI}, Position: q.Position}
	if q.Operation == seam.OpFindReferences {
		params.Context = &referenceContext{IncludeDeclaration: true}
	}
	call, err := s.conn.Call(operationMethods[q.Operation], params)
	if err != nil {
		return nil, err
	}
	raw, err := call.Wait(ctx)
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return raw, err
	}
	if s.config.CancelRequests {
		s.suspect[q.Operation] = true
		_ = s.conn.Cancel(call) // best effort: if it fails, so does the wait
	}
	_, _ = call.Wait(context.Background()) // ends with the reply or the connection
	return nil, ctx.Err()
}
