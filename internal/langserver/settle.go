package langserver

import (
	"context"
	"slices"
	"time"

	"github.com/navseam/navseam/seam"
)

// settling is which operations have answered the same twice since the last change. One query at
// a time uses it.
type settling struct {
	changes uint64 // counts what the server had to learn
	settled [seam.OperationCount]state
}

// state is what an answer was made of: the changes that the server was told, and how often it
// had gone back to work by itself.
type state struct {
	changes, relapses uint64
	known             bool
}

func (s *settling) changed() { s.changes++ }

// state is the present one; still is false while the server says that it works.
func (s *Server) state() (now state, still bool) {
	relapses, still := s.activity.turns()
	return state{s.settling.changes, relapses, true}, still
}

// ask asks until the answer counts. A draft is handed on for each that does not yet.
func (s *Server) ask(ctx context.Context, q Query) (seam.Result, error) {
	began, still := s.state()
	last, err := s.once(ctx, q)
	if err != nil {
		return nil, err
	}
	if now, quiet := s.state(); still && quiet && now == began &&
		(s.settling.settled[q.Operation] == now || s.config.Freshness.Settle == 0) && !s.freshness.disproved(last) {
		s.settling.settled[q.Operation] = now
		return s.judged(last), nil
	}
	return s.agree(ctx, q, last)
}

// agree asks again until two answers are the same.
func (s *Server) agree(ctx context.Context, q Query, last seam.Result) (seam.Result, error) {
	limit := time.NewTimer(s.config.ReadyTimeout)
	defer limit.Stop()
	began, _ := s.state()
	for {
		q.draft(s.withoutMissing(Doubted(last)))
		pause := time.NewTimer(s.config.Freshness.Settle)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		case <-limit.C:
			pause.Stop()
			return s.unsettled(q, last)
		}
		select {
		case <-s.activity.quiet():
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit.C:
			return s.unsettled(q, last)
		}
		next, err := s.once(ctx, q)
		if err != nil {
			return nil, err
		}
		now, still := s.state()
		if still && now == began && same(last, next) {
			s.settling.settled[q.Operation] = now
			if s.freshness.disproved(next) {
				return s.unsettled(q, next)
			}
			return s.judged(next), nil
		}
		last, began = next, now
	}
}

// unsettled is the answer of a query that has asked for long enough.
func (s *Server) unsettled(q Query, last seam.Result) (seam.Result, error) {
	if s.freshness.disproved(last) && !q.Stay {
		return nil, s.freshness.outdated()
	}
	return Doubted(last), nil
}

// once is one request and its answer.
func (s *Server) once(ctx context.Context, q Query) (seam.Result, error) {
	raw, err := s.request(ctx, q)
	if err != nil {
		return nil, err
	}
	return s.normalize(q.Operation, raw)
}

// judged says how far a settled answer may be trusted.
func (s *Server) judged(result seam.Result) seam.Result {
	switch {
	case !s.freshness.whole() || s.activity.late():
		return Doubted(result)
	case s.config.ReadyWhen.known():
		return completed(result)
	default:
		return result
	}
}

// Doubted is an answer that may be a part.
func Doubted(result seam.Result) seam.Result {
	switch answer := result.(type) {
	case seam.Locations:
		answer.Completeness = seam.Incomplete
		return answer
	case seam.HoverResult:
		answer.Completeness = seam.Incomplete
		return answer
	default:
		return result
	}
}

// completed is an answer that is whole, unless something of it had to be left out.
func completed(result seam.Result) seam.Result {
	switch answer := result.(type) {
	case seam.Locations:
		if answer.Completeness == seam.Unknown {
			answer.Completeness = seam.Complete
		}
		return answer
	case seam.HoverResult:
		answer.Completeness = seam.Complete
		return answer
	default:
		return result
	}
}

// same reports whether two answers say the same. The order of locations says nothing.
func same(a, b seam.Result) bool {
	switch a := a.(type) {
	case seam.Locations:
		b, ok := b.(seam.Locations)
		return ok && sameItems(a.Items, b.Items)
	case seam.HoverResult:
		b, ok := b.(seam.HoverResult)
		if !ok || a.Hover == nil || b.Hover == nil {
			return ok && a.Hover == b.Hover
		}
		return a.Hover.Contents == b.Hover.Contents
	default:
		return false
	}
}

// sameItems compares two lists without duplicates.
func sameItems(a, b []seam.Location) bool {
	if len(a) != len(b) || slices.Equal(a, b) {
		return len(a) == len(b)
	}
	in := make(map[seam.Location]struct{}, len(a))
	for _, item := range a {
		in[item] = struct{}{}
	}
	for _, item := range b {
		if _, ok := in[item]; !ok {
			return false
		}
	}
	return true
}
