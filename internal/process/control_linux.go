package process

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// The host and a supervisor talk over a socket in lines of text.
//
// The supervisor says, in this order:
//
//	started PID       or  failed ERRNO
//	exited STATUS     the server alone, as wait(2) encodes it
//
// and closes the socket by exiting, when no descendant is left. The host says
//
//	terminate         SIGTERM to all
//	kill              SIGKILL to all, until none is left
//
// A host whose end of the socket closes is gone; that means kill, too.
const (
	controlFD = 3

	sayStarted = "started"
	sayFailed  = "failed"
	sayExited  = "exited"

	askTerminate = "terminate"
	askKill      = "kill"
)

// controlPair makes the socket. Both ends close on exec: the host's end must
// be in the host alone, or its death would go unnoticed.
func controlPair() (host, supervisor *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fds[0]), "supervisor"), os.NewFile(uintptr(fds[1]), "host"), nil
}

// parseSaid splits what a supervisor says into a word and its number.
func parseSaid(line string) (word string, number int, err error) {
	if _, err := fmt.Sscanf(line, "%s %d", &word, &number); err != nil {
		return "", 0, fmt.Errorf("not a supervisor's line: %.60q", line)
	}
	return word, number, nil
}

// errnoOf is the system's cause in err, or zero.
func errnoOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}
