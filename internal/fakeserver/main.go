package fakeserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
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
	if len(args) != 1 {
		fmt.Fprintf(os.Stderr, "fakeserver: want one argument, the script, and got %d\n", len(args))
		return statusBadScript
	}
	s, err := Parse([]byte(args[0]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeserver:", err)
		return statusBadScript
	}
	return Serve(s)
}

// Serve is this process as the server of a script, on its standard streams. It returns the
// exit status.
func Serve(s Script) int {
	s, err := s.present()
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

// Parse reads a script. It refuses what it does not know: a fault with a typing error would
// be no fault.
func Parse(text []byte) (s Script, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return s, d.Decode(&s)
}
