package langserver

import (
	"context"
	"slices"
	"time"

	"github.com/navseam/navseam/internal/changes"
	"github.com/navseam/navseam/seam"
)

// rescan is the second reading of the workspace by a server that gives its ready signal again
// after files came or went. Until then it answers from what it knew, and some lose a file for
// good that is opened meanwhile.
type rescan struct {
	signal <-chan struct{} // nil: nothing is expected
	since  time.Time
}

// rescanTimeout is how long the signal is waited for: a server that has nothing to read anew
// gives none. It is wide: pyright and basedpyright took 1.1 s at most.
const rescanTimeout = 3 * time.Second

// rescans reports whether the server reads the workspace anew because of the changes.
func (s *Server) rescans(found []changes.Change) bool {
	return s.config.ReadyWhen.AfterChange && slices.ContainsFunc(found, func(c changes.Change) bool {
		return !c.Folder && c.Kind != changes.Changed || matchesAny(s.config.Freshness.Watch, s.relative(c.Path))
	})
}

// expect comes before the server is told.
func (r *rescan) expect(a *activity) { r.signal, r.since = a.anew(), time.Now() }

// wait waits for the signal. What ctx cuts off is waited for by the next query.
func (r *rescan) wait(ctx context.Context, s *Server) error {
	if r.signal == nil {
		return nil
	}
	late := time.NewTimer(rescanTimeout - time.Since(r.since))
	defer late.Stop()
	select {
	case <-r.signal:
	case <-late.C:
	case <-s.conn.Closed():
		return s.conn.Err()
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
	r.signal = nil
	return nil
}
