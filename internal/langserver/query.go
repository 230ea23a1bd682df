package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/navseam/navseam/internal/rpc"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Query is one question at a place in a document that was just read.
type Query struct {
	Operation  seam.Operation
	Position   seam.Position
	LanguageID string
	Source     workspace.Source

	// Draft gets each answer that does not count yet. Nil: nobody wants it.
	Draft func(seam.Result)
	// Stay asks this server even where only a fresh one can know the disk as it is. The
	// answer is Incomplete then.
	Stay bool
}

func (q Query) draft(result seam.Result) {
	if q.Draft != nil {
		q.Draft(result)
	}
}

// Query asks the server. It returns when the server is free for the next question, which
// after the end of ctx may be late: an abandoned request is cancelled and then waited
// for, so that it does not run into the next. The owner releases its caller on time, and
// stops a server that takes too long. Started is closed before Query is called.
func (s *Server) Query(ctx context.Context, q Query) (seam.Result, error) {
	if s.startErr != nil {
		return nil, s.startErr
	}
	s.asked <- struct{}{}
	defer func() { <-s.asked }()
	if s.config.ReadyWhen.AfterOpen && s.caps.openClose && !s.activity.isReady() {
		if err := s.documents.present(q); err != nil {
			return nil, s.queryError(ctx, "textDocument/didOpen", err)
		}
	}
	q, err := s.whenReady(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := s.offered(ctx, q.Operation); err != nil {
		return nil, err
	}
	if err := s.documents.refreshOthers(ctx, q.Source.URI); err != nil {
		return nil, s.queryError(ctx, "textDocument/didChange", err)
	}
	if err := s.freshness.bring(ctx, q); err != nil {
		return nil, s.queryError(ctx, "workspace/didChangeWatchedFiles", err)
	}
	if err := s.documents.present(q); err != nil {
		return nil, s.queryError(ctx, "textDocument/didOpen", err)
	}
	result, err := s.ask(ctx, q)
	if s.config.Documents == Transient {
		s.documents.closeAll()
	}
	if err != nil {
		return nil, s.queryError(ctx, operationMethods[q.Operation], err)
	}
	return s.withoutMissing(result), nil
}

// whenReady waits for the ready signal. A query that had to wait gets its document as it is
// by then.
func (s *Server) whenReady(ctx context.Context, q Query) (Query, error) {
	if s.activity.isReady() {
		return q, nil
	}
	select {
	case <-s.activity.ready:
	case <-ctx.Done():
		return q, seam.ContextError(ctx)
	}
	var err error
	if q.Source, err = s.view.Read(ctx, q.Source.Path); err != nil {
		return q, err
	}
	return q, seam.CheckPosition(q.Source.Text, q.Position)
}

// offered refuses what the server does not offer, before anything is opened. Some register it
// only after the handshake, which is waited for as long as for an answer to settle.
func (s *Server) offered(ctx context.Context, op seam.Operation) error {
	err := s.gate(op)
	for s.caps.openClose && err != nil && time.Since(s.shaken) < s.config.Freshness.Settle {
		select {
		case <-time.After(registerPoll):
			err = s.gate(op)
		case <-s.conn.Closed():
			return s.queryError(ctx, operationMethods[op], s.conn.Err())
		case <-ctx.Done():
			return seam.ContextError(ctx)
		}
	}
	return err
}

// registerPoll is how often it is looked at what a server has registered.
const registerPoll = 10 * time.Millisecond

// gate refuses what the server does not offer now.
func (s *Server) gate(op seam.Operation) error {
	if !s.caps.operations[op] && !s.registrations.has(operationMethods[op]) {
		return seam.Errorf(seam.CodeUnsupportedOperation, "server %q does not support %s", s.config.ID, op)
	}
	if !s.caps.openClose {
		return seam.Errorf(seam.CodeUnsupportedOperation,
			"server %q does not take documents (textDocumentSync offers no open and close), so that it cannot be asked", s.config.ID)
	}
	return nil
}

// queryError names the failure of a query. A caller that gave up is told just that.
func (s *Server) queryError(ctx context.Context, method string, err error) error {
	var coded *seam.Error
	switch {
	case ctx.Err() != nil:
		return seam.ContextError(ctx)
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, rpc.ErrClosed):
		<-s.done
		if s.end.cause != nil {
			return s.end.cause
		}
		return s.lost(err) // stopped by its owner
	default:
		return s.fault(method, err)
	}
}

func (s *Server) normalize(op seam.Operation, raw json.RawMessage) (seam.Result, error) {
	if op == seam.OpHover {
		hover, err := parseHover(raw)
		if err != nil {
			return nil, s.malformed(op, err)
		}
		return seam.HoverResult{Hover: hover}, nil
	}
	items, dropped, err := parseLocations(raw)
	if err != nil {
		return nil, s.malformed(op, err)
	}
	answer := seam.Locations{Items: items, WorkspaceURI: s.view.Root().URI()}
	if dropped > 0 {
		s.config.Log.Warn("unusable locations left out of an answer", "server", s.config.ID, "operation", op, "count", dropped)
		answer.Completeness = seam.Incomplete
	}
	return answer, nil
}

func (s *Server) malformed(op seam.Operation, err error) error {
	return seam.Errorf(seam.CodeMalformedResponse, "server %q gave no usable answer to %s: %w", s.config.ID, operationMethods[op], err)
}

// CloseDocuments closes what is open. Like Query it is called by one at a time.
func (s *Server) CloseDocuments() {
	if s.Alive() {
		s.documents.closeAll()
	}
}
