package fakeserver

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

// startHelper starts a child that only SIGKILL ends, and returns when it is that far.
func startHelper(script Script) (pid int, err error) {
	path, err := os.Executable()
	if err != nil {
		return 0, err
	}
	ready, tell, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer ready.Close()
	cmd := exec.Command(path, helperArgument)
	cmd.Stdin = tell // its to write to: every system hands this one down
	if script.HelperHolds {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	switch script.Helper {
	case "group":
	case "session":
		ownSession(cmd)
	default:
		tell.Close()
		return 0, fmt.Errorf("no such helper: %q", script.Helper)
	}
	err = cmd.Start()
	tell.Close()
	if err != nil {
		return 0, err
	}
	go cmd.Wait() // a dead helper is gone, not a zombie
	if _, err := ready.Read(make([]byte, 1)); err != nil {
		return 0, fmt.Errorf("the helper did not start: %w", err)
	}
	return cmd.Process.Pid, nil
}

// helpForEver is the helper.
func helpForEver() {
	ignoreSignals()
	if _, err := os.Stdin.WriteString("\n"); err != nil {
		os.Exit(statusBadScript)
	}
	time.Sleep(lifetime)
	os.Exit(statusStopped)
}

func ignoreSignals() { signal.Ignore(terminationSignals...) }
