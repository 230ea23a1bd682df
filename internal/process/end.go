package process

import "time"

const (
	pollInterval = 15 * time.Millisecond
	killWait     = 2 * time.Second        // how long SIGKILL may take
	drainWait    = 500 * time.Millisecond // how long the rest of stderr may take
)

// keep is the only goroutine that signals. It waits for a reason to end the
// family, ends it, and gives back what the host holds.
func (p *Process) keep(pipes pipes, collected <-chan struct{}) {
	select {
	case <-p.server.done: // helpers do not outlive their server
	case <-p.terminating.c:
	case <-p.killing.c:
	}
	p.stdin.Close()
	p.endErr = p.end()
	p.family.release()
	p.awaitOutput(collected)
	pipes.closeHost()
	close(p.ended)
}

// end climbs the ladder: SIGTERM, the grace, SIGKILL.
func (p *Process) end() error {
	if !p.killing.raised() {
		p.family.terminate()
		if p.family.gone(p.grace, p.killing.c) {
			return nil
		}
	}
	for deadline := time.Now().Add(killWait); time.Now().Before(deadline); {
		p.family.kill()
		if p.family.gone(pollInterval, nil) {
			return nil
		}
	}
	if pids := p.family.living(); len(pids) > 0 {
		return &SurvivorsError{PIDs: pids}
	}
	return nil
}

// awaitOutput leaves the last output of a server that exited by itself to its
// reader, until the owner wants the end too. Stderr is short work.
func (p *Process) awaitOutput(collected <-chan struct{}) {
	select {
	case <-p.stdout.end.c:
	case <-p.terminating.c:
	case <-p.killing.c:
	}
	await(collected, drainWait)
}

// await waits for c, but no longer than that.
func await(c <-chan struct{}, atMost time.Duration) {
	late := time.NewTimer(atMost)
	defer late.Stop()
	select {
	case <-c:
	case <-late.C:
	}
}

// poll waits until living finds nobody.
func poll(living func() []int, within time.Duration, cut <-chan struct{}) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		if len(living()) == 0 {
			return true
		}
		select {
		case <-tick.C:
		case <-late.C:
			return len(living()) == 0
		case <-cut:
			return false
		}
	}
}
