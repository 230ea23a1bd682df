package stdio

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Pool holds the language servers of a host. It bounds how many live at once: when one
// more is wanted, the one that was not used for the longest time makes room.
//
// All of its state is in this struct and changes under one lock, which is never held
// while anything is waited for.
type Pool struct {
	files *workspace.Files
	limit int

	mu        sync.Mutex
	taken     int // seats: servers that live, or wait for the seat of one that is leaving
	spaces    map[spaceKey]*space
	watches   map[watchKey]*watch
	residents map[*langserver.Server]*resident
	watchers  sync.WaitGroup // one goroutine a server, until it is gone
}

// spaceKey is one provider in one project of a workspace. Without root markers the
// workspace is the one project that it has.
type spaceKey struct {
	provider      *Provider
	root, project workspace.Key
}

// space is what a pool knows of a spaceKey.
type space struct {
	key     spaceKey
	outer   *space          // of the workspace that a project is in, which lives as long; nil for the workspace itself
	view    *workspace.View // of the workspace
	home    *workspace.View // of the project, where servers start: open, so that the folder keeps its identity
	watch   *watch          // of the workspace; nil until a server needs it
	slots   []*slot
	waiters []chan *slot // queries in line, first come first served
	users   int          // queries that hold the space, in line or not, and the projects in it
	breaker circuit.Breaker
	starts  int
}

// slot is a place for one process of a space. Whoever has taken it is alone with its
// server.
type slot struct {
	space  *space
	server *langserver.Server // nil, alive, or dead and to be replaced
	taken  bool
	used   time.Time

	documentsOpen bool          // since its last use
	wanted        chan struct{} // closed when somebody waits for what an abandoned query holds; nil otherwise

	serverTimer   idleTimer
	documentTimer idleTimer
}

// resident is a server that is not gone yet.
type resident struct {
	slot     *slot
	leaving  bool // stopped, or dead
	promised bool // its seat goes to the next
}

// fileWorkers bounds the file work under way. It is wide, because on a mount that hangs
// each one may be held.
const fileWorkers = 64

// NewPool makes a pool for at most limit processes.
func NewPool(limit int) *Pool {
	return &Pool{
		files:     workspace.NewFiles(fileWorkers),
		limit:     limit,
		spaces:    make(map[spaceKey]*space),
		watches:   make(map[watchKey]*watch),
		residents: make(map[*langserver.Server]*resident),
	}
}

// enter returns the space of a provider in a workspace, and holds it until leave.
func (p *Pool) enter(ctx context.Context, provider *Provider, root *workspace.Root) (*space, error) {
	key := spaceKey{provider, root.Key(), root.Key()}
	if sp := p.hold(key, nil, nil); sp != nil {
		return sp, nil
	}
	view, err := p.files.View(ctx, root, workspace.ViewOptions{
		MaxBytes:    int64(provider.config.MaxDocumentBytes),
		SourceRoots: provider.config.SourceRoots,
	})
	if err != nil {
		return nil, err
	}
	return p.holdWith(key, nil, view), nil
}

// holdWith is hold with a view that was just opened.
func (p *Pool) holdWith(key spaceKey, outer *space, home *workspace.View) *space {
	sp := p.hold(key, outer, home)
	if sp.home != home {
		home.Close() // another query was first
	}
	return sp
}

// hold counts a user of a space, which it makes when there is a view for it.
func (p *Pool) hold(key spaceKey, outer *space, home *workspace.View) *space {
	p.mu.Lock()
	defer p.mu.Unlock()
	sp := p.spaces[key]
	if sp == nil {
		if home == nil {
			return nil
		}
		p.forget()
		sp = &space{key: key, view: home, home: home, breaker: circuit.Breaker{Limit: key.provider.config.Circuit}}
		if outer != nil {
			outer.users++
			sp.outer, sp.view = outer, outer.view
		}
		p.spaces[key] = sp
	}
	sp.users++
	return sp
}

// leave gives a space back. One that nobody uses and that has nothing to remember goes.
func (p *Pool) leave(sp *space) {
	p.mu.Lock()
	sp.users--
	unused := p.drop(sp)
	p.mu.Unlock()
	closeViews(unused)
}

func closeViews(views []*workspace.View) {
	for _, view := range views {
		view.Close()
	}
}

// drop forgets a space that has no user, no server and no failure that still counts, so
// that a host that sees many workspaces does not grow. With the last project of a workspace
// goes the space of that. The caller closes the views that were of them.
func (p *Pool) drop(sp *space) (unused []*workspace.View) {
	live := slices.ContainsFunc(sp.slots, func(s *slot) bool { return s.server != nil })
	if sp.users > 0 || live || sp.breaker.Remembers(time.Now()) && !sp.key.provider.isClosed() {
		return nil
	}
	if p.spaces[sp.key] != sp {
		return nil // dropped before
	}
	delete(p.spaces, sp.key)
	p.dropWatch(sp)
	for _, s := range sp.slots {
		s.serverTimer.stop()
		s.documentTimer.stop()
	}
	unused = []*workspace.View{sp.home}
	if sp.outer != nil {
		sp.outer.users--
		unused = append(unused, p.drop(sp.outer)...)
	}
	return unused
}

// forget drops the spaces whose failures do not count any more.
func (p *Pool) forget() {
	for _, sp := range p.spaces {
		if unused := p.drop(sp); unused != nil {
			p.watchers.Go(func() { closeViews(unused) })
		}
	}
}

// take waits for a slot of the space, in turn.
func (p *Pool) take(ctx context.Context, sp *space) (*slot, error) {
	turn := make(chan *slot, 1)
	p.mu.Lock()
	sp.waiters = append(sp.waiters, turn)
	p.serve(sp)
	if len(sp.waiters) > 0 {
		sp.press()
	}
	p.mu.Unlock()

	select {
	case s := <-turn:
		return s, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	i := slices.Index(sp.waiters, turn)
	if i >= 0 {
		sp.waiters = slices.Delete(sp.waiters, i, i+1)
	}
	p.mu.Unlock()
	if i < 0 {
		p.release(<-turn) // the turn came at the same moment
	}
	return nil, seam.ContextError(ctx)
}

// serve hands free slots of a space to those who wait for them, first come first served.
func (p *Pool) serve(sp *space) {
	for len(sp.waiters) > 0 {
		s := p.pick(sp)
		if s == nil {
			return
		}
		s.taken = true
		sp.waiters[0] <- s // has room for one
		sp.waiters = slices.Delete(sp.waiters, 0, 1)
	}
}

// serveAll is for when a seat has become free, which any space may have waited for.
func (p *Pool) serveAll() {
	for _, sp := range p.spaces {
		p.serve(sp)
	}
}

// pick returns the best free slot: a warm one, else a cold one if a server may be
// started in it or there is no other to wait for.
func (p *Pool) pick(sp *space) *slot {
	var cold *slot
	warm := 0
	for _, s := range sp.slots {
		alive := s.server != nil && s.server.Alive()
		switch {
		case alive && !s.taken:
			return s
		case alive:
			warm++
		case !s.taken:
			cold = s
		}
	}
	if warm > 0 && !p.canSeat() {
		return nil
	}
	if cold == nil && len(sp.slots) < sp.key.provider.config.Instances {
		cold = p.newSlot(sp)
	}
	return cold
}

func (p *Pool) newSlot(sp *space) *slot {
	config := sp.key.provider.config
	s := &slot{
		space:         sp,
		serverTimer:   idleTimer{limit: config.IdleTimeout},
		documentTimer: idleTimer{limit: config.DocumentIdle},
	}
	sp.slots = append(sp.slots, s)
	return s
}

// press tells the abandoned queries of a space that somebody waits.
func (sp *space) press() {
	for _, s := range sp.slots {
		if s.wanted != nil {
			close(s.wanted)
			s.wanted = nil
		}
	}
}

// release gives a slot to the next in line, or leaves it idle.
func (p *Pool) release(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.used = time.Now()
	s.documentsOpen = true
	s.wanted = nil
	p.giveBack(s)
}

// giveBack frees a taken slot. Its server may now make room for another space, or has to
// when there are more than may live.
func (p *Pool) giveBack(s *slot) {
	s.taken = false
	p.serve(s.space)
	if s.taken {
		return
	}
	if p.excess() > 0 && s.server != nil {
		p.dismiss(s.server, p.residents[s.server])
	}
	p.serveAll()
	if !s.taken {
		p.startTimers(s)
	}
}
