package process

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// supervisor runs a server as a child, adopts what the server's descendants
// leave behind, and stays until none is left.
type supervisor struct {
	control *os.File
	server  int // 0 when it was reaped
	killing <-chan time.Time
}

// Supervise is the main function of a supervisor: the arguments are the
// server's, and the result is the exit status. It is of use only to [Start],
// which runs it.
func Supervise(args []string) int {
	if len(args) == 0 || !isSocket(controlFD) {
		fmt.Fprintln(os.Stderr, "supervise is started by navseam itself, to end language servers with all they started")
		return 2
	}
	// The server dies with the thread that started it.
	runtime.LockOSThread()
	takeName()
	keepFiles()
	s := &supervisor{control: os.NewFile(controlFD, "host")}

	// Caught, not ignored, which the server would inherit. Nobody reads them:
	// the host alone says when to end.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)

	if err := s.start(args); err != nil {
		s.say(sayFailed, int(errnoOf(err)))
		return 1
	}
	s.say(sayStarted, s.server)
	s.run(children)
	return 0
}

// takeName keeps the supervisor from being ended by the name of the program that it is a
// copy of: it has to outlive that, to clean up.
func takeName() {
	name, err := unix.BytePtrFromString("lsp-supervisor")
	if err == nil {
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(name)), 0, 0, 0)
	}
}

func isSocket(fd int) bool {
	var stat unix.Stat_t
	return unix.Fstat(fd, &stat) == nil && stat.Mode&unix.S_IFMT == unix.S_IFSOCK
}

// keepFiles keeps the socket from the server, and, since Linux 5.11, whatever
// else was left open by those who started the host.
func keepFiles() {
	unix.CloseOnExec(controlFD)
	unix.CloseRange(controlFD, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

func (s *supervisor) start(argv []string) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return err
	}
	s.server = pid
	releaseStdio()
	return nil
}

// releaseStdio leaves the server's pipes to the server, so that the host sees
// their end when the server closes them.
func releaseStdio() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	for fd := range 3 {
		if err != nil || unix.Dup3(int(null.Fd()), fd, 0) != nil {
			unix.Close(fd)
		}
	}
	null.Close()
}

// run works until there is no child, and so, for a subreaper, no descendant.
func (s *supervisor) run(children <-chan os.Signal) {
	asked := s.listen()
	for s.reap() {
		select {
		case <-children:
		case ask, ok := <-asked:
			if !ok {
				asked = nil
			}
			s.do(ask)
		case <-s.killing:
			s.signal(syscall.SIGKILL)
		}
	}
}

// listen hands on what the host asks for. It closes the channel when the host
// is gone.
func (s *supervisor) listen() <-chan string {
	asked := make(chan string)
	go func() {
		defer close(asked)
		for lines := bufio.NewScanner(s.control); lines.Scan(); {
			asked <- lines.Text()
		}
	}()
	return asked
}

// do treats all but one word as kill: also the empty one of a host that died.
func (s *supervisor) do(ask string) {
	if ask == askTerminate {
		s.signal(syscall.SIGTERM)
		return
	}
	s.signal(syscall.SIGKILL)
	if s.killing == nil {
		s.killing = time.Tick(pollInterval)
	}
}

// signal reaches the server's group in one step, then whoever left it. The
// group is the server's for certain only until the server is reaped.
func (s *supervisor) signal(sig syscall.Signal) {
	found := descendants(os.Getpid())
	group := s.server
	if group != 0 {
		syscall.Kill(-group, sig)
	}
	for _, p := range found {
		if group == 0 || p.group != group {
			p.signal(sig)
		}
	}
}

// reap collects children that have exited and reports whether any is left.
func (s *supervisor) reap() bool {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false // ECHILD
		case pid == 0:
			return true
		case pid == s.server:
			s.server = 0
			s.say(sayExited, int(status))
		}
	}
}

// say ignores errors: a host that does not hear is gone, and that is noticed.
func (s *supervisor) say(word string, number int) {
	fmt.Fprintln(s.control, word, number)
}
