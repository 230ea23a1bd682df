package fakeserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	argument       = "fakeserver"
	helperArgument = "fakeserver-helper"
)

// lifetime bounds each process: a server that hangs and ignores everything must not
// outlive for ever a test that was killed. It is longer than any test waits.
const lifetime = 15 * time.Minute

// Command returns the path and the arguments that run the script.
func Command(s Script) (path string, args []string, err error) {
	path, err = os.Executable()
	if err != nil {
		return "", nil, err
	}
	script, err := json.Marshal(s)
	if err != nil {
		return "", nil, fmt.Errorf("fakeserver: the script is no JSON: %w", err)
	}
	return path, []string{argument, string(script)}, nil
}

// Main runs the server and ends the process when this process was started by [Command].
func Main() {
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case argument:
		exit(runProcess(os.Args[2:]))
	case helperArgument:
		helpForEver()
	}
}

// exit ends the process now. os.Exit would first wait a second under the race detector,
// and a server that lingers is another fault than the one that was asked for.
func exit(status int) { syscall.Exit(status) }

func runProcess(args []string) int {
	s, err := parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeserver:", err)
		return statusBadScript
	}
	if s.IgnoreSignals {
		ignoreSignals()
	}
	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	defer cancel()
	return Run(ctx, s, standardInput(), os.Stdout, os.Stderr)
}

// parse refuses what it does not know: a fault with a typing error would be no fault.
func parse(args []string) (s Script, err error) {
	if len(args) != 1 {
		return s, fmt.Errorf("want one argument, the script, and got %d", len(args))
	}
	d := json.NewDecoder(strings.NewReader(args[0]))
	d.DisallowUnknownFields()
	return s, d.Decode(&s)
}
