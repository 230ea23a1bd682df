package fakeserver

import "os"

// Running reports whether there is such a process.
func Running(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = process.Release()
	return true
}
