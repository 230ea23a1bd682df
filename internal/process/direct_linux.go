package process

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// direct is a server that is the host's own child. It is not reaped before all
// is gone: as long as it is a zombie, nobody else gets its number.
type direct struct {
	cmd     *exec.Cmd
	server  *server
	members *members
}

func spawnDirect(c Command, stdio [3]*os.File) (*server, family, error) {
	cmd := command(c, argv(c), stdio)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	s := &server{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The server dies with the thread that started it, so that thread does
		// nothing else until the server has exited.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		s.status = awaitExit(cmd.Process.Pid)
		close(s.done)
	}()
	if err := <-started; err != nil {
		return nil, nil, err
	}
	s.pid = cmd.Process.Pid
	return s, &direct{cmd: cmd, server: s, members: newMembers(s.pid)}, nil
}

func (d *direct) terminate() { d.signal(syscall.SIGTERM) }
func (d *direct) kill()      { d.signal(syscall.SIGKILL) }

func (d *direct) signal(sig syscall.Signal) {
	found := d.members.living() // first: a dying parent takes its ties along
	syscall.Kill(-d.server.pid, sig)
	for _, p := range found {
		if p.group != d.server.pid {
			p.signal(sig)
		}
	}
}

func (d *direct) gone(within time.Duration, cut <-chan struct{}) bool {
	return poll(d.living, within, cut)
}

func (d *direct) living() []int {
	pids := pidsOf(d.members.living())
	if !d.server.exited() && !slices.Contains(pids, d.server.pid) {
		pids = append(pids, d.server.pid) // all that is known without /proc
	}
	return pids
}

// release reaps the server, later if it has outlived SIGKILL.
func (d *direct) release() {
	if d.server.exited() {
		d.cmd.Wait()
		return
	}
	go func() {
		<-d.server.done
		d.cmd.Wait()
	}()
}

// awaitExit waits until a child has exited, leaves it unreaped, and says how
// it exited.
func awaitExit(pid int) string {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return "exit status unknown: " + err.Error()
		}
	}
	// The kernel's siginfo_t, as far as SIGCHLD fills it; the inner struct is
	// aligned like a pointer.
	child := (*struct {
		_     [3]int32
		child struct {
			_                [0]uintptr
			pid, uid, status int32
		}
	})(unsafe.Pointer(&info))
	const exited, dumped = 1, 3 // CLD_EXITED, CLD_DUMPED
	switch status := child.child.status; info.Code {
	case exited:
		return statusText(syscall.WaitStatus(status << 8))
	case dumped:
		return statusText(syscall.WaitStatus(status | 0x80))
	default:
		return statusText(syscall.WaitStatus(status))
	}
}
