package stdio

import (
	"slices"
	"time"

	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/seam"
)

// errNoSeat is for a query that would need one more process than there may be.
var errNoSeat = &seam.Error{
	Code:       seam.CodeUnavailable,
	Message:    "all language server processes are busy: try again, or raise limits.processes",
	Limit:      "limits.processes",
	Retryable:  true,
	RetryAfter: time.Second,
}

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
	if left := sp.breaker.Open(time.Now()); left > 0 {
		return nil, sp.breaker.Refusal("server", provider.config.ID, left)
	}
	gate, ok := p.seat()
	if !ok {
		p.pressAll()
		return nil, errNoSeat
	}
	server := langserver.Start(sp.server(p), sp.view, sp.home.Root(), gate)
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
	if !r.leaving {
		p.dismiss(server, r)
	}
	if p.staying() >= p.limit { // the limit was lowered: that seat is not for anybody
		if server, r = p.oldestIdle(); r == nil {
			return nil, false
		}
		p.dismiss(server, r)
	}
	if p.staying() >= p.limit {
		return nil, false
	}
	r.promised = true
	return server.Done(), true
}

// canSeat reports whether seat would find room.
func (p *Pool) canSeat() bool {
	if p.taken < p.limit {
		return true
	}
	_, r := p.nextToLeave()
	return r != nil && p.taken <= p.limit
}

// mayWait reports whether a query of the space has a live server to wait for.
func (p *Pool) mayWait(sp *space) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(sp.slots, func(s *slot) bool { return s.server != nil && s.server.Alive() })
}

// staying counts the seats that nobody is about to leave for good.
func (p *Pool) staying() int {
	staying := p.taken
	for _, r := range p.residents {
		if r.leaving && !r.promised {
			staying--
		}
	}
	return staying
}

// excess is how many servers more there are than may live.
func (p *Pool) excess() int { return p.staying() - p.limit }

// pressAll tells the abandoned queries of all spaces that their servers are wanted.
func (p *Pool) pressAll() {
	for _, sp := range p.spaces {
		sp.press()
	}
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
		if r.leaving || r.promised || r.slot.taken || r.slot.server != server || !hasStarted(server) {
			continue
		}
		if oldest == nil || r.slot.used.Before(p.residents[oldest].slot.used) {
			oldest = server
		}
	}
	return oldest, p.residents[oldest]
}

// hasStarted reports whether the start is over. Until then a server is not sent away: its
// start would never be joined by anybody.
func hasStarted(server *langserver.Server) bool {
	select {
	case <-server.Started():
		return true
	default:
		return false
	}
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
	crashed := server.Crashed()
	if crashed {
		sp.breaker.Failed(time.Now(), server.Cause())
	}
	left := sp.breaker.Open(time.Now())
	unused := p.drop(sp)
	p.serveAll()
	p.mu.Unlock()
	closeViews(unused)
	log := sp.key.provider.config.Log.With("server", sp.key.provider.config.ID, "root", sp.home.Root().Path())
	switch {
	case crashed && left > 0:
		log.Warn("language server failed too often, and is left alone", "for", left, "error", server.Cause())
	case crashed:
		log.Info("language server failed", "error", server.Cause())
	}
}

// SetLimit changes how many processes may live. When it shrinks, idle ones are ended now,
// and busy ones when they are idle.
func (p *Pool) SetLimit(limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = limit
	for range p.excess() {
		if server, r := p.oldestIdle(); r != nil {
			p.dismiss(server, r)
		}
	}
	p.serveAll()
}
