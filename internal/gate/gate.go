// Package gate lets queries into a provider until it is shut, and tells when the last of
// them has left.
package gate

import "sync"

// Gate is open until it is shut. Make one with [New].
type Gate struct {
	mu     sync.Mutex
	shut   bool
	inside int
	empty  chan struct{} // closes once: shut, and nobody is inside
}

// New returns an open gate.
func New() *Gate { return &Gate{empty: make(chan struct{})} }

// Enter lets one in, unless the gate is shut. Whoever was let in leaves once.
func (g *Gate) Enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.inside++
	return true
}

// Leave lets one out.
func (g *Gate) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.check()
}

// Shut lets nobody in from now on. To shut it again does nothing.
func (g *Gate) Shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		g.shut = true
		g.check()
	}
}

// Empty closes when the gate is shut and everybody has left.
func (g *Gate) Empty() <-chan struct{} { return g.empty }

// check closes empty when it is time. The lock is held.
func (g *Gate) check() {
	if g.shut && g.inside == 0 {
		close(g.empty)
	}
}
