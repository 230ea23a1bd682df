package stdio

import "time"

// startTimers begins the idle time of a slot that was just given back.
func (s *slot) startTimers() {
	config := s.space.key.provider.config
	if s.server == nil {
		return
	}
	if config.IdleTimeout > 0 {
		s.timer.Reset(config.IdleTimeout)
	}
	if config.DocumentIdle > 0 {
		s.docTimer.Reset(config.DocumentIdle)
	}
}

func (s *slot) stopTimers() {
	s.timer.Stop()
	s.docTimer.Stop()
}

// retireIdle stops the server of a slot that has been idle for IdleTimeout.
func (p *Pool) retireIdle(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !s.idleFor(s.space.key.provider.config.IdleTimeout) {
		return // used while the timer fired
	}
	if r := p.residents[s.server]; r != nil {
		p.dismiss(s.server, r)
	}
}

// closeIdleDocuments closes the documents of a slot that has been idle for DocumentIdle.
// It takes the slot meanwhile, like a query.
func (p *Pool) closeIdleDocuments(s *slot) {
	p.mu.Lock()
	if !s.idleFor(s.space.key.provider.config.DocumentIdle) {
		p.mu.Unlock()
		return
	}
	s.taken = true
	server := s.server
	p.mu.Unlock()

	server.CloseDocuments()

	p.mu.Lock()
	defer p.mu.Unlock()
	p.pass(s)
}

func (s *slot) idleFor(limit time.Duration) bool {
	return !s.taken && s.server != nil && time.Since(s.used) >= limit
}
