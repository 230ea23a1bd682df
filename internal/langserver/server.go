package langserver

import (
	"context"
	"sync"
	"time"

	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/rpc"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Server is one language server in one project of a workspace. One goroutine owns it from the
// spawn to the end of its last process.
type Server struct {
	config Config
	root   *workspace.Root // where it works: the workspace, or a project in it
	view   *workspace.View // of the workspace

	stopping context.Context // done once Stop was called
	stop     context.CancelFunc

	started  chan struct{} // closes once: what start sets below is set
	startErr error
	process  *process.Process
	conn     *rpc.Conn
	caps     capabilities
	took     time.Duration // spawn to handshake
	shaken   time.Time     // when the handshake was done

	opened chan struct{} // closes once: the first document was opened

	done chan struct{} // closes once: nothing of the server is left
	end  ending        // set before done closes

	activity      *activity
	registrations registrations

	asked chan struct{} // holds a token while a query is under way

	// Used by one query at a time.
	documents documents
	freshness freshness
	settling  settling
	suspect   [seam.OperationCount]bool

	mu    sync.Mutex
	phase Phase
}

// ending is how a server ended.
type ending struct {
	wanted bool  // Stop was called before the server failed
	cause  error // why it failed, if it started and did
	left   error // processes that could not be ended
}

// Phase is where a server is in its life.
type Phase string

// The phases, in order.
const (
	Waiting  Phase = "waiting" // for another process to be gone first
	Starting Phase = "starting"
	Indexing Phase = "indexing" // the handshake is done, the ready signal is not there yet
	Ready    Phase = "ready"
	Stopping Phase = "stopping"
	Gone     Phase = "gone"
)

// Start starts a server in a project of a workspace, which may be the workspace itself, as
// soon as gate is closed, at once when it is nil. It may be asked about all that the view
// of the workspace allows. Start returns immediately; the start belongs to the server and
// not to the caller, who may give up and leave it to the next one. The owner calls Stop,
// and waits for Done.
func Start(config Config, view *workspace.View, project *workspace.Root, gate <-chan struct{}) *Server {
	stopping, stop := context.WithCancel(context.Background())
	s := &Server{
		config:   config,
		root:     project,
		view:     view,
		stopping: stopping,
		stop:     stop,
		started:  make(chan struct{}),
		opened:   make(chan struct{}),
		done:     make(chan struct{}),
		asked:    make(chan struct{}, 1),
		activity: newActivity(config.ReadyWhen),
		phase:    Waiting,
	}
	s.documents.server = s
	s.freshness = newFreshness(s)
	go s.live(gate)
	return s
}

// live is the life of the server.
func (s *Server) live(gate <-chan struct{}) {
	defer close(s.done)
	if gate != nil {
		<-gate // also when stopped meanwhile: the seat is not free before
	}
	began := time.Now()
	s.enter(Starting)
	s.startErr = s.start()
	s.shaken = time.Now()
	s.took = s.shaken.Sub(began)
	if s.startErr == nil {
		s.enter(Indexing)
		s.activity.handshaken()
	} else {
		// No warning: whoever asked is told, and whoever asks next.
		s.config.Log.Info("language server did not start", "server", s.config.ID, "error", s.startErr)
	}
	if s.startErr != nil {
		s.end.wanted = s.stopping.Err() != nil
		close(s.started)
	} else {
		close(s.started)
		s.waitReady()
		s.end.wanted = s.waitEnd()
	}
	s.enter(Stopping)
	broke := s.startErr == nil && !s.end.wanted
	s.end.left = s.teardown(broke)
	s.freshness.close()
	s.stop()
	s.activity.settle(false)
	s.enter(Gone)
}

// waitReady waits for the ready signal, or for long enough.
func (s *Server) waitReady() {
	if s.config.ReadyWhen.AfterOpen && !s.waitBegin() {
		return
	}
	late := time.NewTimer(s.config.ReadyTimeout)
	defer late.Stop()
	select {
	case <-s.activity.ready:
	case <-late.C:
		if s.activity.settle(false) {
			s.config.Log.Warn("language server gave no ready signal in time: answers may be partial",
				"server", s.config.ID, "readyTimeout", s.config.ReadyTimeout)
		}
	case <-s.stopping.Done():
		return
	case <-s.conn.Closed():
		return
	}
	s.enter(Ready)
}

// waitBegin waits for the first document, and then for the work that the signal is the end of. It
// reports whether there is a signal to wait for.
func (s *Server) waitBegin() bool {
	select {
	case <-s.opened:
	case <-s.stopping.Done():
		return false
	case <-s.conn.Closed():
		return false
	}
	late := time.NewTimer(beginTimeout)
	defer late.Stop()
	select {
	case <-s.activity.ready:
	case <-late.C:
		if !s.activity.hasBegun() {
			s.activity.settle(false)
		}
	case <-s.stopping.Done():
	case <-s.conn.Closed():
	}
	return true
}

// waitEnd waits until the server is to end, and reports whether it was told to.
func (s *Server) waitEnd() bool {
	select {
	case <-s.stopping.Done():
		return true
	case <-s.conn.Closed():
		return false
	}
}

func (s *Server) enter(phase Phase) {
	s.mu.Lock()
	s.phase = phase
	s.mu.Unlock()
	s.config.Log.Info("language server "+string(phase), "server", s.config.ID, "root", s.root.Path())
}

// Started is closed when the handshake is done or has failed.
func (s *Server) Started() <-chan struct{} { return s.started }

// StartErr is the failure of the start. It is set once Started is closed.
func (s *Server) StartErr() error { return s.startErr }

// Stop begins the end of the server and returns at once.
func (s *Server) Stop() { s.stop() }

// Done is closed when nothing of the server is left, or no more can be done about it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Crashed reports whether the server failed by itself, and was not stopped. It is set
// once Done is closed.
func (s *Server) Crashed() bool { return !s.end.wanted }

// Cause is why a server crashed. It is set once Done is closed.
func (s *Server) Cause() error {
	if s.startErr != nil {
		return s.startErr
	}
	return s.end.cause
}

// Suspect reports whether the server was told to cancel this operation and has not
// answered it well since. Some servers are confused by a cancel for good. Like Query it is
// called by one at a time.
func (s *Server) Suspect(op seam.Operation) bool { return s.suspect[op] }

// Trust says that the server answered the operation well.
func (s *Server) Trust(op seam.Operation) { s.suspect[op] = false }

// LeftErr names the processes that could not be ended. It is set once Done is closed.
func (s *Server) LeftErr() error { return s.end.left }

// Alive reports whether the server may be asked, now or when it has started.
func (s *Server) Alive() bool {
	if s.stopping.Err() != nil {
		return false
	}
	select {
	case <-s.started:
		return s.startErr == nil && s.conn.Err() == nil
	default:
		return true
	}
}

// Status is what can be shown of a server at one moment.
type Status struct {
	Phase     Phase
	PID       int           // 0 before the process is there
	Progress  string        // the server's own words on what it is doing, or empty
	StartTook time.Duration // 0 before the handshake is done
	Documents int           // open now
	Late      bool          // the ready signal did not come, and nobody waits for it any more
	Told      int64         // changed files that it was told of
	ToTouch   int64         // changed files that it has yet to be shown
}

// Status may be called at any time.
func (s *Server) Status() Status {
	s.mu.Lock()
	status := Status{Phase: s.phase}
	s.mu.Unlock()
	status.Progress = s.activity.current()
	status.Late = s.activity.late()
	status.Documents = s.documents.count()
	status.Told, status.ToTouch = s.freshness.told.Load(), s.freshness.toTouch.Load()
	select {
	case <-s.started:
		status.StartTook = s.took
		if s.process != nil {
			status.PID = s.process.PID()
		}
	default:
	}
	return status
}
