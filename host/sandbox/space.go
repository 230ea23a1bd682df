package sandbox

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/trace"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// space is a module in one workspace: its instances, and who waits for one.
type space struct {
	provider  *Provider
	release   *release
	root      Root
	documents Documents
	cache     *store
	trace     *trace.Module // nil: nobody wants one

	users int       // queries and starts; the release's lock guards it
	used  time.Time // when the last of them left; likewise

	mu       sync.Mutex
	idle     []*instance // the last used at the end
	live     int         // instances that work: idle ones and busy ones
	starting int
	waiters  list.List // of chan taken
	faults   circuit.Breaker
	absences circuit.Breaker // of what load needs
	starts   int
	loadTook time.Duration
	folders  map[string]*workspace.Folder // by mount
}

// taken is what a waiter is given.
type taken struct {
	instance *instance
	err      error
}

// absenceCooldown is for how long load is not tried again when it says that something is
// not there; it doubles with each time in a row.
const absenceCooldown = time.Second

func newSpace(r *release, root Root, documents Documents) *space {
	s := &space{provider: r.provider, release: r, root: root, documents: documents, folders: map[string]*workspace.Folder{}}
	s.faults.Limit = r.provider.config.Circuit
	s.absences.Limit = circuit.Limit{Failures: 1, Cooldown: absenceCooldown}
	s.trace = r.provider.config.Trace.Module(r.provider.config.ID, root.Path)
	s.cache = newStore(r.provider.config.Grants.CacheBytes)
	return s
}

// take returns an instance for one query. In line, the first comes first.
func (s *space) take(ctx context.Context) (*instance, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 && s.waiters.Len() == 0 {
		i := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return i, nil
	}
	ready := make(chan taken, 1)
	place := s.waiters.PushBack(ready)
	s.arrange()
	s.mu.Unlock()
	select {
	case t := <-ready:
		return t.instance, t.err
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiters.Remove(place)
	select {
	case t := <-ready:
		if t.instance != nil {
			s.idle = append(s.idle, t.instance)
			s.arrange()
		}
	default:
	}
	return nil, seam.ContextError(ctx)
}

// arrange decides what happens for those who wait: they get an idle instance, or one is
// started, or, when none works and none may be started, they are refused. The lock is held.
func (s *space) arrange() {
	for s.waiters.Len() > 0 {
		refusal := s.refusal()
		switch {
		case len(s.idle) > 0:
			last := len(s.idle) - 1
			i := s.idle[last]
			s.idle = s.idle[:last]
			s.serve(taken{instance: i})
		case refusal != nil && s.live+s.starting == 0:
			s.serve(taken{err: refusal})
		case refusal == nil && s.starting < s.waiters.Len() && s.live+s.starting < s.provider.config.Limits.Instances:
			s.starting++
			s.starts++
			s.hold()
			s.provider.background.Go(s.begin)
		default:
			return
		}
	}
}

// hold keeps the space and its release from being ended: a start uses them, even when
// nobody waits for it any more.
func (s *space) hold() {
	s.provider.hold(s.release)
	s.release.hold(s)
}

func (s *space) drop() {
	s.release.leave(s)
	s.provider.drop(s.release)
}

// serve gives the first in line what it waits for. The lock is held.
func (s *space) serve(t taken) { s.waiters.Remove(s.waiters.Front()).(chan taken) <- t }

// refusal is the error while no instance may be started, or nil. The lock is held.
func (s *space) refusal() *seam.Error {
	now := time.Now()
	if left := s.faults.Open(now); left > 0 {
		return s.faults.Refusal("module", s.provider.config.ID, left)
	}
	if left := s.absences.Open(now); left > 0 {
		absent := *seam.AsError(s.absences.Last())
		absent.RetryAfter = left
		return &absent
	}
	return nil
}

// begin starts an instance. If that fails, whoever is first in line hears of it, unless
// there are others to wait for.
func (s *space) begin() {
	defer s.drop()
	i, took, failure := s.start()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting--
	s.loadTook = took
	switch {
	case failure == nil:
		s.absences.Succeeded()
		s.live++
		i.idle = time.Now()
		s.idle = append(s.idle, i)
	default:
		if failure.counts {
			s.faults.Failed(time.Now(), failure.err)
		}
		if failure.absent {
			s.absences.Failed(time.Now(), failure.err)
		}
		if s.live+s.starting == 0 && s.waiters.Len() > 0 {
			s.serve(taken{err: failure.err})
		}
	}
	s.arrange()
}

// giveBack returns an instance whose code returned.
func (s *space) giveBack(i *instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.Failures() > 0 {
		s.faults.Succeeded()
	}
	i.idle = time.Now()
	s.idle = append(s.idle, i)
	if s.waiters.Len() > 0 {
		s.arrange()
	}
}

// discard ends an instance whose code did not return: its memory may be in any state.
func (s *space) discard(i *instance, err error, counts bool) {
	i.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live--
	if counts {
		s.faults.Failed(time.Now(), err)
	}
	s.arrange()
}
