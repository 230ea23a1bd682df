package process

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// Command says what to run. It is an argument vector, never a shell line.
type Command struct {
	Path string   // executable; relative to Dir unless absolute
	Args []string // without the program's name
	Env  []string // the whole environment; nothing is inherited
	Dir  string   // working folder; required

	// MaxStderrBytes is how much of the end of stderr is kept.
	MaxStderrBytes int

	// Supervisor is the argument vector of a program that calls [Supervise]
	// with the arguments after it, by absolute path. Empty: the server is
	// started directly. It has no effect outside Linux.
	Supervisor []string

	// KillGrace is the time between SIGTERM and SIGKILL, and the time that a
	// helper may hold the pipes of a server that has exited. Zero is none.
	KillGrace time.Duration
}

// Process is a server that was started, and everything it starts.
// Its owner calls [Process.Terminate], also when the server exits by itself.
type Process struct {
	server *server
	family family
	grace  time.Duration

	stdin  *os.File
	stdout *output
	stderr *tail

	terminating *flag         // the owner wants the end
	killing     *flag         // the owner wants it at once
	exited      chan struct{} // the server is gone and its pipes are done
	ended       chan struct{} // endErr is set
	endErr      error
}

// server is the one process that was asked for.
type server struct {
	pid    int
	done   chan struct{} // closed when it has exited; status is set
	status string
}

func (s *server) exited() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// family is a server with all it started, as one platform sees it. One
// goroutine uses it.
type family interface {
	terminate() // ask each member to end
	kill()      // end each member; called again until all are gone
	gone(within time.Duration, cut <-chan struct{}) bool
	living() []int
	release() // give back what the host holds of it
}

// Start runs the command. The error wraps the cause that the system gave.
func Start(c Command) (*Process, error) {
	if err := checkFolder(c.Dir); err != nil {
		return nil, fmt.Errorf("start %s: working folder: %w", c.Path, err)
	}
	var pipes pipes
	if err := pipes.open(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	stderr := &tail{limit: c.MaxStderrBytes}
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		stderr.collect(pipes.host[2])
	}()
	server, family, err := spawn(c, pipes.child)
	pipes.closeChild()
	if err != nil {
		await(collected, drainWait)
		pipes.closeHost()
		return nil, fmt.Errorf("start %s: %w", c.Path, withText(err, stderr.String()))
	}
	p := &Process{
		server:      server,
		family:      family,
		grace:       max(c.KillGrace, 0),
		stdin:       pipes.host[0],
		stdout:      newOutput(pipes.host[1]),
		stderr:      stderr,
		terminating: newFlag(),
		killing:     newFlag(),
		exited:      make(chan struct{}),
		ended:       make(chan struct{}),
	}
	go p.watch(collected)
	go p.keep(pipes, collected)
	return p, nil
}

func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "chdir", Path: dir, Err: syscall.ENOTDIR}
	}
	return nil
}

// withText adds what a supervisor that failed had to say.
func withText(err error, stderr string) error {
	if stderr = strings.TrimSpace(stderr); stderr == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, stderr)
}

// PID is the server's own number, also under a supervisor.
func (p *Process) PID() int { return p.server.pid }

// Stdin is the host's end of the server's stdin. A write can be given a
// deadline where the system has them for pipes.
func (p *Process) Stdin() *os.File { return p.stdin }

// Stdout is the host's end of the server's stdout, for one reader. After
// [Process.Terminate] what was not read is lost.
func (p *Process) Stdout() io.Reader { return p.stdout }

// Stderr is the end of what the server and its helpers wrote to stderr so far.
func (p *Process) Stderr() string { return p.stderr.String() }

// Exited is closed when the server itself has exited and all it wrote was
// read, or KillGrace after its exit when something still holds a pipe open, or
// when it was terminated.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Status says how the server exited, such as "exit status 3" or
// "signal: killed". It is empty until then.
func (p *Process) Status() string {
	if !p.server.exited() {
		return ""
	}
	return p.server.status
}

// Terminate ends the server and everything it started: stdin closes, all get
// SIGTERM, and what is left after KillGrace gets SIGKILL. It returns when all
// is gone, with a [SurvivorsError] when something is not, or with the
// context's error; then the end goes on without the caller. All callers share
// one end.
func (p *Process) Terminate(ctx context.Context) error {
	p.terminating.raise()
	select {
	case <-p.ended:
		return p.endErr
	case <-ctx.Done():
	}
	select {
	case <-p.ended:
		return p.endErr
	default:
		return fmt.Errorf("process %d is still being ended: %w", p.server.pid, context.Cause(ctx))
	}
}

// Kill ends everything at once, without waiting for it. [Process.Terminate]
// waits.
func (p *Process) Kill() { p.killing.raise() }

// watch closes exited.
func (p *Process) watch(collected <-chan struct{}) {
	<-p.server.done
	late := time.NewTimer(p.grace)
	defer late.Stop()
	for _, pipe := range []<-chan struct{}{p.stdout.end.c, collected} {
		select {
		case <-pipe:
		case <-p.ended: // nobody reads any more
		case <-late.C:
			late.Reset(0)
		}
	}
	close(p.exited)
}

// SurvivorsError says that processes are left that SIGKILL did not end.
type SurvivorsError struct{ PIDs []int }

func (e *SurvivorsError) Error() string {
	return fmt.Sprintf("processes %v are still there after SIGKILL: end them by hand", e.PIDs)
}
