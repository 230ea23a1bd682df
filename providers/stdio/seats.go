package stdio

import (
	"time"

	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/seam"
)

// seatRetry is what a caller is told to wait when every process is busy.
const seatRetry = time.Second

// server returns the live server of a taken slot, and starts one where there is none.
func (p *Pool) server(s *slot) (*langserver.Server, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.space.key.provider.isClosed() {
		return nil, s.space.key.provider.disposed()
	}
	if s.server != nil && s.server.Alive() {
		return s.server, nil
	}
	sp, provider := s.space, s.space.key.provider
	if left := sp.breaker.open(time.Now()); left > 0 {
		return nil, sp.breaker.refusal(provider.config.ID, left)
	}
	gate, ok := p.seat()
	if !ok {
		return nil, &seam.Error{
			Code:       seam.CodeUnavailable,
			Message:    "all language server processes are busy: try again, or raise limits.processes",
			Limit:      "limits.processes",
			Retryable:  true,
			RetryAfter: seatRetry,
		}
	}
	server := langserver.Start(provider.server, sp.view, gate)
	s.server = server
	sp.starts++
	p.residents[server] = &resident{slot: s}
	p.watchers.Go(func() {
		<-server.Done()
		p.gone(server)
	})
	return server, nil
}

// seat finds room for one more process. The gate opens when the room is really there;
// it is nil where it is already.
func (p *Pool) seat() (gate <-chan struct{}, ok bool) {
	if p.taken < p.limit {
		p.taken++
		return nil, true
	}
	server, r := p.nextToLeave()
	if r == nil {
		return nil, false
	}
	p.dismiss(server, r)
	r.promised = true
	return server.Done(), true
}

// canSeat reports whether seat would find room.
func (p *Pool) canSeat() bool {
	if p.taken < p.limit {
		return true
	}
	_, r := p.nextToLeave()
	return r != nil
}

// nextToLeave returns a server whose seat nobody was promised: one that is leaving
// anyway, else the idle one that was not used for the longest time.
func (p *Pool) nextToLeave() (*langserver.Server, *resident) {
	for server, r := range p.residents {
		if !r.promised && (r.leaving || !server.Alive()) {
			return server, r
		}
	}
	return p.oldestIdle()
}

func (p *Pool) oldestIdle() (*langserver.Server, *resident) {
	var oldest *langserver.Server
	for server, r := range p.residents {
		if r.leaving || r.promised || r.slot.taken || r.slot.server != server {
			continue
		}
		if oldest == nil || r.slot.used.Before(p.residents[oldest].slot.used) {
			oldest = server
		}
	}
	return oldest, p.residents[oldest]
}

// dismiss stops a server and frees its slot for another.
func (p *Pool) dismiss(server *langserver.Server, r *resident) {
	r.leaving = true
	if r.slot.server == server {
		r.slot.server = nil
	}
	server.Stop()
}

// replace takes a server out of its slot, so that the next query gets a fresh one.
func (p *Pool) replace(server *langserver.Server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.residents[server]; r != nil {
		p.dismiss(server, r)
	}
}

// gone is told of every server that has ended, the first time counts.
func (p *Pool) gone(server *langserver.Server) {
	p.mu.Lock()
	r := p.residents[server]
	if r == nil {
		p.mu.Unlock()
		return
	}
	sp := r.slot.space
	delete(p.residents, server)
	if !r.promised {
		p.taken--
	}
	if r.slot.server == server {
		r.slot.server = nil
	}
	if server.Crashed() {
		sp.breaker.failed(time.Now(), server.Cause())
	}
	drop := p.drop(sp)
	p.mu.Unlock()
	if drop {
		sp.view.Close()
	}
}

// SetLimit changes how many processes may live. When it shrinks, idle ones are ended now,
// and busy ones when they are idle.
func (p *Pool) SetLimit(limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = limit
	for range p.taken - limit {
		if server, r := p.oldestIdle(); r != nil {
			p.dismiss(server, r)
		}
	}
}
