package changes

import "sync"

// Status says how a tree is watched.
type Status struct {
	Events         bool
	Reason         string // why there are no events, if they were wanted
	Files, Folders int
}

type statusBox struct {
	mu     sync.Mutex
	status Status
}

func (b *statusBox) set(change func(*Status)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.status)
}

func (b *statusBox) get() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status
}
