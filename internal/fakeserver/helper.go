package fakeserver

import (
	"os"
	"os/exec"
	"os/signal"
	"time"
)

const helperArgument = "fakeserver-helper"

// startHelper starts a child that only SIGKILL ends.
func startHelper(kind string) int {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(path, helperArgument)
	if kind == "session" {
		ownSession(cmd)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd.Process.Pid
}

func sleepForEver() {
	ignoreSignals()
	forever()
}

// forever blocks without looking like a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func ignoreSignals() { signal.Ignore(terminationSignals...) }
