package stdio

import (
	"context"
	"errors"
	"time"

	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/seam"
)

// patience is how long a server may go on with a query that its caller gave up, before it
// is replaced.
type patience struct {
	alone  time.Duration // while nobody waits for it
	wanted time.Duration // once somebody does
}

// wantedPatience is what a cancelled request gets to settle while somebody waits. Servers
// that heed a cancel settle within milliseconds, and a fresh start costs seconds.
const wantedPatience = 250 * time.Millisecond

func (c Config) patience() patience {
	if c.CancelRequests {
		return patience{alone: c.KillGrace, wanted: min(c.KillGrace, wantedPatience)}
	}
	return patience{alone: c.QueryTimeout, wanted: c.KillGrace} // the request is left to run out
}

// abandoned keeps the slot of a query whose caller is gone until the server has settled.
// One that takes too long is replaced and finished in the background.
func (p *Pool) abandoned(s *slot, server *langserver.Server, answered <-chan outcome, limits patience) {
	wanted := make(chan struct{})
	p.mu.Lock()
	s.wanted = wanted
	if len(s.space.waiters) > 0 {
		s.space.press()
	}
	s.space.users++ // the space lives as long as its slot is taken
	p.mu.Unlock()
	p.watchers.Go(func() {
		defer p.leave(s.space)
		late := time.NewTimer(limits.alone)
		defer late.Stop()
		select {
		case <-answered:
		case <-late.C:
			p.replace(server)
		case <-wanted:
			late.Reset(limits.wanted)
			select {
			case <-answered:
			case <-late.C:
				p.replace(server)
			}
		}
		p.release(s)
	})
}

// record closes the circuit of a space whose server answered, and counts against it a
// limit of the deployment that passed. A caller's own deadline counts against nobody, and
// a death is counted where it is seen.
func (p *Pool) record(sp *space, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		sp.breaker.Succeeded()
	case seam.AsError(err).Limit == queryLimit:
		sp.breaker.Failed(time.Now(), err)
	}
}

// settle sees to it that the next attempt gets a fresh server. The death of one that died
// is counted at once, so that the circuit is up to date.
func (p *Pool) settle(ctx context.Context, server *langserver.Server, err error) error {
	p.replace(server)
	if !langserver.Lost(err) {
		return nil
	}
	select {
	case <-server.Done():
		p.gone(server)
		return nil
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
}

// doubtful reports whether an answer is what a server gives that a cancel has confused:
// nothing, or an internal error.
func doubtful(result seam.Result, err error) bool {
	const internalError = -32603
	var server *seam.ServerError
	switch answer := result.(type) {
	case seam.Locations:
		return len(answer.Items) == 0
	case seam.HoverResult:
		return answer.Hover == nil
	default:
		return errors.As(err, &server) && server.Code == internalError
	}
}
