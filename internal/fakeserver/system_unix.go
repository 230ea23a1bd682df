//go:build unix

package fakeserver

import (
	"os"
	"os/exec"
	"syscall"
)

var terminationSignals = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}

func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// standardInput can be closed while it is being read, which os.Stdin cannot.
func standardInput() *os.File {
	if syscall.SetNonblock(0, true) != nil {
		return os.Stdin
	}
	return os.NewFile(0, "stdin")
}
