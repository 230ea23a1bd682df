package stdio

import (
	"cmp"
	"slices"
	"time"

	"github.com/navseam/navseam/internal/langserver"
)

// Status is what a provider is doing at one moment.
type Status struct {
	ID         string
	Executable string
	Dropped    []string          // environment variables that its servers do not get
	Workspaces []WorkspaceStatus // by root and project
}

// WorkspaceStatus is a provider in one workspace, or in one project of it.
type WorkspaceStatus struct {
	Root        string // of the workspace
	Project     string // where the servers start: Root, or the folder in it that has one of the root markers
	Processes   []ProcessStatus
	Watch       string        // how changes on disk are seen: "events", "sweep", with the reason after a colon, or empty
	Queue       int           // queries in line
	Starts      int           // processes started so far
	Failures    int           // in a row
	CircuitOpen time.Duration // for how much longer no process is started
	LastError   string
}

// ProcessStatus is one server process.
type ProcessStatus struct {
	State     string // waiting, starting, indexing, ready, stopping, gone
	Busy      bool
	PID       int
	Progress  string // the server's own words, or empty
	StartTook time.Duration
	Documents int
	Late      bool  // the signal of readyWhen did not come within readyTimeoutMs
	Told      int64 // files that changed on disk, of which it was told
	ToTouch   int64 // and those that it has yet to be shown
}

// Status may be called at any time.
func (p *Provider) Status() Status {
	return Status{
		ID:         p.config.ID,
		Executable: p.server.Path,
		Dropped:    p.dropped,
		Workspaces: p.pool.status(p),
	}
}

func (p *Pool) status(provider *Provider) []WorkspaceStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []WorkspaceStatus
	for key, sp := range p.spaces {
		if key.provider != provider || len(sp.slots) == 0 { // or nobody has asked but in projects
			continue
		}
		w := WorkspaceStatus{
			Root:        sp.view.Root().Path(),
			Project:     sp.home.Root().Path(),
			Watch:       sp.watch.describe(),
			Queue:       len(sp.waiters),
			Starts:      sp.starts,
			Failures:    sp.breaker.Failures(),
			CircuitOpen: sp.breaker.Open(time.Now()),
		}
		if err := sp.breaker.Last(); err != nil {
			w.LastError = err.Error()
		}
		for _, s := range sp.slots {
			if s.server != nil {
				w.Processes = append(w.Processes, processStatus(s.server.Status(), s.taken))
			}
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b WorkspaceStatus) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Project, b.Project))
	})
	return all
}

func processStatus(s langserver.Status, busy bool) ProcessStatus {
	return ProcessStatus{
		State:     string(s.Phase),
		Busy:      busy,
		PID:       s.PID,
		Progress:  s.Progress,
		StartTook: s.StartTook,
		Documents: s.Documents,
		Late:      s.Late,
		Told:      s.Told,
		ToTouch:   s.ToTouch,
	}
}
