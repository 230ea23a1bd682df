package fakeserver

import (
	"os"
	"os/exec"
)

var terminationSignals = []os.Signal{os.Interrupt}

func ownSession(*exec.Cmd) {}
