package stdio

import "time"

// idleTimer does something to a slot that was not used for a while. It is not set again
// for each use, which would wake a thread each time: when it fires it looks how long the
// slot has been idle really. The pool's lock guards it.
type idleTimer struct {
	limit time.Duration // 0: never
	timer *time.Timer
	set   bool
}

// start sets the timer for a slot that was last used then, unless it runs.
func (t *idleTimer) start(used time.Time, fire func()) {
	left := max(0, t.limit-time.Since(used))
	switch {
	case t.limit == 0 || t.set:
		return
	case t.timer == nil:
		t.timer = time.AfterFunc(left, fire)
	default:
		t.timer.Reset(left)
	}
	t.set = true
}

func (t *idleTimer) stop() {
	if t.timer != nil {
		t.timer.Stop()
	}
	t.set = false
}

// due reports whether the slot has been idle for long enough. When it was used meanwhile
// the timer is set for the rest; when it is in use, or empty, it is set when the slot is given back.
func (t *idleTimer) due(s *slot) bool {
	t.set = false
	if s.taken || s.server == nil {
		return false
	}
	if left := t.limit - time.Since(s.used); left > 0 {
		t.timer.Reset(left)
		t.set = true
		return false
	}
	return true
}

// startTimers begins the idle time of a slot that was just given back.
func (p *Pool) startTimers(s *slot) {
	if s.server == nil {
		return
	}
	s.serverTimer.start(s.used, func() { p.retireIdle(s) })
	if s.documentsOpen {
		s.documentTimer.start(s.used, func() { p.closeIdleDocuments(s) })
	}
}

// retireIdle stops the server of a slot that has been idle for IdleTimeout.
func (p *Pool) retireIdle(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !s.serverTimer.due(s) {
		return
	}
	if r := p.residents[s.server]; r != nil {
		p.dismiss(s.server, r)
	}
}

// closeIdleDocuments closes the documents of a slot that has been idle for DocumentIdle.
// It takes the slot meanwhile, like a query.
func (p *Pool) closeIdleDocuments(s *slot) {
	p.mu.Lock()
	if !s.documentTimer.due(s) {
		p.mu.Unlock()
		return
	}
	s.taken = true
	s.documentsOpen = false
	server := s.server
	p.mu.Unlock()

	server.CloseDocuments()

	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveBack(s)
}
