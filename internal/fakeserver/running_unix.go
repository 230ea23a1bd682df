//go:build unix

package fakeserver

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// Running reports whether there is such a process. One that has ended and that nobody
// has taken note of, as in a container without an init, is none.
func Running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err) || !hasProc()
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(state, []byte("Z"))
}

func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
