package sandbox

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Status is what a provider is doing at one moment.
type Status struct {
	ID          string
	Path        string
	SHA256      string // of the bytes that answer now
	Engine      string
	Operations  []string
	Asked       []string // grants that the module's imports ask for
	Granted     []string // grants of the deployment
	CompileTook time.Duration
	Cached      bool  // the compiled code came from the disk
	Replaced    int   // times that a changed file took the place of the module
	ReplaceErr  error // why the file on disk, which has changed, was not taken; or nil
	Workspaces  []WorkspaceStatus
}

// WorkspaceStatus is a module in one workspace.
type WorkspaceStatus struct {
	Root        string
	Instances   int
	Busy        int
	Queue       int           // queries in line
	Starts      int           // instances started so far
	LoadTook    time.Duration // of the last instance: start function, _initialize and load
	MemoryBytes int64         // of the idle instances
	Failures    int           // in a row
	CircuitOpen time.Duration // for how much longer no instance is started
	LastError   string
}

// Status may be called at any time.
func (p *Provider) Status() Status {
	p.mu.Lock()
	r, status := p.current, Status{Replaced: p.replaced, ReplaceErr: p.replaceErr}
	p.mu.Unlock()
	status.ID, status.Path, status.Engine = p.config.ID, p.config.Path, p.config.Engine
	granted := p.config.Grants.names()
	status.Granted = slices.DeleteFunc(slices.Sorted(maps.Keys(granted)), func(name string) bool { return !granted[name] })
	if r == nil { // closed
		return status
	}
	status.SHA256, status.Operations, status.Asked = r.report.SHA256, r.report.Operations, r.report.Permissions
	status.CompileTook, status.Cached = r.code.Took(), r.code.Cached()
	for _, s := range r.all() {
		status.Workspaces = append(status.Workspaces, s.status())
	}
	slices.SortFunc(status.Workspaces, func(a, b WorkspaceStatus) int { return strings.Compare(a.Root, b.Root) })
	return status
}

func (s *space) status() WorkspaceStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	status := WorkspaceStatus{
		Root:        s.root.Path,
		Instances:   s.live,
		Busy:        s.live - len(s.idle),
		Queue:       s.waiters.Len(),
		Starts:      s.starts,
		LoadTook:    s.loadTook,
		Failures:    s.faults.Failures(),
		CircuitOpen: max(s.faults.Open(now), s.absences.Open(now)),
	}
	for _, i := range s.idle { // the memory of a busy one belongs to whoever runs it
		status.MemoryBytes += int64(i.engine.MemorySize())
	}
	for _, err := range []error{s.absences.Last(), s.faults.Last()} {
		if err != nil {
			status.LastError = err.Error()
		}
	}
	return status
}
