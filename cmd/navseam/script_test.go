package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/navseam/navseam/internal/fakeserver"
)

// In the scripts navseam is this binary, and so is the server that it starts.
func TestMain(m *testing.M) {
	// Under the race detector each process would wait for a second before it ends.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	testscript.Main(m, map[string]func(){
		"navseam":    main,
		"fakeserver": fakeserver.Main,
		"echo-tool":  echo,
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", os.Getenv("GORACE"))
			env.Setenv("NAVSEAM_CONFIG", env.Getenv("WORK")+"/config.yaml")
			navseam, err := exec.LookPath("navseam")
			env.Setenv("NAVSEAM_ONLY", filepath.Dir(navseam)) // a PATH with nothing else
			if err != nil {
				return err
			}
			modules, err := filepath.Abs("testdata/modules")
			env.Setenv("MODULES", modules)
			env.Setenv("HOSTILE", filepath.Join(modules, "../../../../host/sandbox/testdata/hostile"))
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/.cache") // compiled modules
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": expectStatus,
			"heard":  expectHeard,
			"gone":   expectGone,
		},
	})
}

// expectStatus is "status N PROGRAM ARGUMENTS...": the program ends with that status.
func expectStatus(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	got := 0
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want || neg {
		ts.Fatalf("the exit status is %d, not %d", got, want)
	}
}

// patience is for what happens at once on a machine that is not busy.
const patience = 30 * time.Second

// expectHeard is "heard LOG METHOD": the fake server got that message.
func expectHeard(ts *testscript.TestScript, neg bool, args []string) {
	heard := func(events []fakeserver.Event) bool { return fakeserver.Count(events, args[1]) > 0 }
	events, err := fakeserver.WaitLog(ts.MkAbs(args[0]), patience, heard)
	ts.Check(err)
	if neg || !heard(events) {
		ts.Fatalf("the server did not get %s", args[1])
	}
}

// expectGone is "gone LOG": of the servers that wrote the log, and their helpers, no
// process is left.
func expectGone(ts *testscript.TestScript, neg bool, args []string) {
	pids, err := loggedProcesses(ts.MkAbs(args[0]))
	ts.Check(err)
	if neg || len(pids) == 0 {
		ts.Fatalf("no server wrote to %s", args[0])
	}
	if !allGone(pids) {
		ts.Fatalf("of the processes %v some are still there", pids)
	}
}

// loggedProcesses are the servers that wrote a log, and their helpers.
func loggedProcesses(log string) (pids []int, err error) {
	events, err := fakeserver.ReadLog(log)
	for _, event := range events {
		if event.Method == "start" || event.Method == "helper" {
			pids = append(pids, event.PID)
		}
	}
	return pids, err
}

// allGone waits until none of the processes is left.
func allGone(pids []int) bool {
	deadline := time.Now().Add(patience)
	for slices.ContainsFunc(pids, fakeserver.Running) {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(10 * time.Millisecond)
	}
	return true
}
