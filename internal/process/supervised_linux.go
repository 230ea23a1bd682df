package process

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// startWait is how long a supervisor may take to start the server.
const startWait = 30 * time.Second

// stuckAfter is when a supervisor that was told to kill is taken for stuck.
const stuckAfter = time.Second

// supervised is a server under a supervisor that is the host's child.
type supervised struct {
	cmd     *exec.Cmd // the supervisor
	control *os.File
	server  *server
	members *members      // for when the supervisor dies first
	over    chan struct{} // closed when the supervisor is gone
	killed  time.Time     // when it was told to kill
}

func spawnSupervised(c Command, stdio [3]*os.File) (*server, family, error) {
	control, theirs, err := controlPair()
	if err != nil {
		return nil, nil, err
	}
	line := append(append([]string{}, c.Supervisor...), argv(c)...)
	cmd := command(c, line, stdio)
	cmd.ExtraFiles = []*os.File{theirs}
	// A session of its own: no signal of the host's terminal reaches it. It
	// has no parent-death signal: that would tie it to a thread of the host,
	// and the socket already tells it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		control.Close()
		return nil, nil, fmt.Errorf("supervisor: %w", err)
	}
	control.SetReadDeadline(time.Now().Add(startWait))
	said := bufio.NewReader(control)
	pid, err := awaitStart(said, c.Path)
	if err != nil {
		control.Close()
		cmd.Process.Kill()
		cmd.Wait()
		return nil, nil, err
	}
	control.SetReadDeadline(time.Time{})
	s := &supervised{
		cmd:     cmd,
		control: control,
		server:  &server{pid: pid, done: make(chan struct{})},
		members: newMembers(pid),
		over:    make(chan struct{}),
	}
	go s.listen(said)
	return s.server, s, nil
}

// awaitStart reads the supervisor's first line.
func awaitStart(said *bufio.Reader, path string) (pid int, err error) {
	line, err := said.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("the supervisor did not report (%w): it must be a program that calls process.Supervise", err)
	}
	word, number, err := parseSaid(line)
	switch {
	case err != nil:
		return 0, err
	case word == sayStarted:
		return number, nil
	default:
		return 0, &fs.PathError{Op: "fork/exec", Path: path, Err: syscall.Errno(number)}
	}
}

// listen hears how the server exited, then that the supervisor is gone.
func (s *supervised) listen(said *bufio.Reader) {
	defer close(s.over)
	line, err := said.ReadString('\n')
	if err == nil {
		if word, number, err := parseSaid(line); err == nil && word == sayExited {
			s.server.status = statusText(syscall.WaitStatus(number))
			close(s.server.done)
			said.ReadByte() // waits for the end
		}
	}
	s.cmd.Wait()
	if s.server.status == "" {
		// Its server was given SIGKILL as parent-death signal.
		s.server.status = "killed with its supervisor: " + s.cmd.ProcessState.String()
		close(s.server.done)
	}
}

func (s *supervised) terminate() {
	if s.deserted() {
		s.members.signal(syscall.SIGTERM)
		return
	}
	s.tell(askTerminate)
}

// kill tells the supervisor once. It goes on by itself, unless it is stopped
// or dead: then the host does its work, as far as that can be done from here.
func (s *supervised) kill() {
	if s.killed.IsZero() {
		s.killed = time.Now()
		s.tell(askKill)
	}
	if s.deserted() {
		s.members.signal(syscall.SIGKILL)
		return
	}
	if time.Since(s.killed) < stuckAfter {
		return
	}
	for _, p := range descendants(s.cmd.Process.Pid) {
		p.signal(syscall.SIGKILL)
	}
	if len(descendants(s.cmd.Process.Pid)) == 0 {
		s.cmd.Process.Kill()
	}
}

// tell cannot fail in a way that matters: a supervisor that does not hear is
// gone, or found stuck later.
func (s *supervised) tell(ask string) {
	s.control.SetWriteDeadline(time.Now().Add(time.Second))
	s.control.WriteString(ask + "\n")
}

// deserted reports whether the supervisor died before its work was done.
func (s *supervised) deserted() bool {
	select {
	case <-s.over:
		return !s.cmd.ProcessState.Success()
	default:
		return false
	}
}

func (s *supervised) gone(within time.Duration, cut <-chan struct{}) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-s.over:
		return poll(s.living, within, cut)
	case <-late.C:
		return false
	case <-cut:
		return false
	}
}

func (s *supervised) living() []int {
	select {
	case <-s.over:
		if s.deserted() {
			return pidsOf(s.members.living())
		}
		return nil
	default:
		return append(pidsOf(descendants(s.cmd.Process.Pid)), s.cmd.Process.Pid)
	}
}

// release closes the socket: a supervisor that is still there goes on killing.
func (s *supervised) release() { s.control.Close() }
