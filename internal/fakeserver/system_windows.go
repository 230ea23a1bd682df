package fakeserver

import (
	"os"
	"os/exec"
)

var terminationSignals = []os.Signal{os.Interrupt}

// ownSession does nothing: there are no sessions.
func ownSession(*exec.Cmd) {}

func standardInput() *os.File { return os.Stdin }
