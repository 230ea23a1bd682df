package process_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/navseam/navseam/internal/process"
)

const short = 50 * time.Millisecond // a grace that is meant to pass

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

func readPID(t *testing.T, p *process.Process) int {
	t.Helper()
	pid, err := strconv.Atoi(readLine(t, p.Stdout()))
	require.NoError(t, err)
	require.True(t, alive(pid))
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

func awaitGone(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		require.Eventually(t, func() bool { return !alive(pid) }, patience, 5*time.Millisecond, "process %d", pid)
	}
}

// What is left when Terminate returns: nothing. A grace that is patience is
// not meant to pass: SIGTERM alone must do.
func TestTerminateEndsAll(t *testing.T) {
	tests := []struct {
		name   string
		steps  []string
		spawns bool // the server first says a helper's number
		grace  time.Duration
		status string
	}{
		{"A-174 obeys SIGTERM", []string{"say:up", "sleep"}, false, patience, "signal: terminated"},
		{"A-174 ignores SIGTERM", []string{"ignore-term", "say:up", "sleep"}, false, short, "signal: killed"},
		{"A-174 no grace", []string{"ignore-term", "say:up", "sleep"}, false, 0, "signal: killed"},
		{"A-172 ends at the end of stdin", []string{"ignore-term", "say:up", "echo", "exit:4"}, false, patience, "exit status 4"},
		{"A-174 helper in the group", []string{"spawn:group", "say:up", "sleep"}, true, patience, "signal: terminated"},
		{"A-176 stubborn helper in the group", []string{"spawn:group+stubborn", "say:up", "sleep"}, true, short, "signal: terminated"},
		{"A-174 helper in its own session", []string{"spawn:session", "say:up", "sleep"}, true, patience, "signal: terminated"},
		{"A-176 stubborn helper in its own session", []string{"spawn:session+stubborn", "say:up", "sleep"}, true, short, "signal: terminated"},
		{"A-174 orphan in the group", []string{"spawn:orphan+group", "say:up", "sleep"}, true, patience, "signal: terminated"},
		{"A-176 stubborn helper holds the pipes", []string{"spawn:session+stubborn+holding", "say:up", "sleep"}, true, short, "signal: terminated"},
	}
	inEachMode(t, func(t *testing.T, mode process.Command) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				mode := mode
				mode.KillGrace = test.grace
				p := start(t, mode, test.steps...)
				pids := []int{p.PID()}
				if test.spawns {
					pids = append(pids, readPID(t, p))
				}
				require.Equal(t, "up", readLine(t, p.Stdout()))
				terminate(t, p)
				for _, pid := range pids {
					require.False(t, alive(pid), "process %d", pid)
				}
				awaitExit(t, p)
				require.Equal(t, test.status, p.Status())
			})
		}
	})
}

// A supervisor also ends what cannot be found by group, session or parent.
func TestOrphanInItsOwnSession(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		p := start(t, mode, "spawn:orphan+session", "sleep")
		orphan := readPID(t, p)
		terminate(t, p)
		require.False(t, alive(p.PID()))
		supervised := len(mode.Supervisor) > 0
		require.Equal(t, !supervised, alive(orphan), "without a supervisor it is out of reach: a documented limit")
	})
}

// Helpers do not outlive a server that exits by itself, also while nobody
// calls Terminate.
func TestHelpersFollowTheirServer(t *testing.T) {
	tests := []struct {
		name, kind string
		grace      time.Duration
		supervised bool // only then
	}{
		{"in the group", "group", patience, false},
		{"A-176 stubborn in the group", "group+stubborn", short, false},
		{"orphan in the group", "orphan+group", patience, false},
		{"in its own session", "session", patience, true},
		{"A-176 stubborn in its own session", "session+stubborn", short, true},
		{"orphan in its own session", "orphan+session", patience, true},
	}
	inEachMode(t, func(t *testing.T, mode process.Command) {
		for _, test := range tests {
			if test.supervised && len(mode.Supervisor) == 0 {
				continue
			}
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				mode := mode
				mode.KillGrace = test.grace
				p := start(t, mode, "spawn:"+test.kind, "echo", "exit:3")
				helper := readPID(t, p)
				require.NoError(t, p.Stdin().Close())
				awaitGone(t, p.PID(), helper)
				require.NoError(t, drain(p))
				awaitExit(t, p)
				require.Equal(t, "exit status 3", p.Status())
				terminate(t, p) // nothing is left to signal
			})
		}
	})
}

func drain(p *process.Process) error {
	lines := bufio.NewScanner(p.Stdout())
	for lines.Scan() {
	}
	return lines.Err()
}

// a helper that keeps the pipes open does not hide the server's exit.
func TestExitedThoughPipesAreHeld(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		mode.KillGrace = short
		p := start(t, mode, "spawn:orphan+session+stubborn+holding", "echo", "exit:0")
		orphan := readPID(t, p)
		require.NoError(t, p.Stdin().Close())
		awaitExit(t, p)
		require.Equal(t, "exit status 0", p.Status())
		terminate(t, p)
		if len(mode.Supervisor) > 0 {
			require.False(t, alive(orphan))
		}
	})
}

// The server's last words are there to read, however late.
func TestLastWordsOutliveTheServer(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		mode.KillGrace = 0
		p := start(t, mode, "say:last words", "exit:0")
		awaitExit(t, p)
		awaitGone(t, p.PID())
		time.Sleep(2 * short)
		require.Equal(t, "last words", readLine(t, p.Stdout()))
	})
}

// Nothing outlives a host that was killed; without a supervisor the server
// itself does not.
func TestHostKilled(t *testing.T) {
	tests := []struct{ mode, kind string }{
		{"supervised", "group"},
		{"supervised", "session+stubborn"},
		{"supervised", "orphan+session+stubborn"},
		{"direct", "group"},
	}
	for _, test := range tests {
		t.Run(test.mode+" "+test.kind, func(t *testing.T) {
			host := exec.Command(os.Args[0], "helper-host", test.mode, "spawn:"+test.kind, "ignore-term", "sleep")
			host.Env = quickExit()
			said, err := host.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, host.Start())
			var pids []int
			for lines := bufio.NewScanner(said); len(pids) < 2 && lines.Scan(); {
				pid, err := strconv.Atoi(lines.Text())
				require.NoError(t, err)
				pids = append(pids, pid)
				t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
			}
			require.Len(t, pids, 2)
			if test.mode == "direct" {
				pids = pids[:1]
			} else {
				pids = append(pids, parentOf(t, pids[0]))
				require.NotEqual(t, host.Process.Pid, pids[2])
			}
			require.NoError(t, host.Process.Kill())
			require.Error(t, host.Wait())
			awaitGone(t, pids...)
		})
	}
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(data), ") ")
	parent, err := strconv.Atoi(strings.Fields(rest)[1])
	require.NoError(t, err)
	return parent
}

// A supervisor that is killed takes its server along; the host ends the rest.
func TestSupervisorKilled(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		if len(mode.Supervisor) == 0 {
			return
		}
		mode.KillGrace = short
		p := start(t, mode, "spawn:group+stubborn", "ignore-term", "sleep")
		helper := readPID(t, p)
		require.NoError(t, syscall.Kill(parentOf(t, p.PID()), syscall.SIGKILL))
		require.NoError(t, drain(p))
		awaitExit(t, p)
		require.Contains(t, p.Status(), "supervisor")
		awaitGone(t, p.PID(), helper)
		terminate(t, p)
	})
}

// A supervisor that hangs is replaced by the host.
func TestSupervisorStopped(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		if len(mode.Supervisor) == 0 {
			return
		}
		mode.KillGrace = short
		p := start(t, mode, "spawn:session", "sleep")
		helper := readPID(t, p)
		require.NoError(t, syscall.Kill(parentOf(t, p.PID()), syscall.SIGSTOP))
		terminate(t, p)
		awaitGone(t, p.PID(), helper)
	})
}

func TestSupervisorThatIsNone(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		for _, supervisor := range [][]string{
			{"/bin/true"}, {mode.Path + "-vanished"}, {mode.Path, "helper-server", "complain:hello", "exit:1"},
		} {
			mode.Supervisor = supervisor
			_, err := process.Start(mode)
			require.ErrorContains(t, err, "supervisor")
		}
		_, err := process.Start(mode)
		require.ErrorContains(t, err, "hello", "what it says helps")
	})
}

// Started by hand, or by a host that is not ours, it does nothing.
func TestSuperviseAlone(t *testing.T) {
	out, err := exec.Command(os.Args[0], "supervise", "/bin/true").CombinedOutput()
	require.ErrorContains(t, err, "exit status 2")
	require.Contains(t, string(out), "navseam")
}

// The server gets three pipes and no ignored signals. What the test itself has
// got from elsewhere is passed on without a supervisor only.
func TestServerInheritsNothingElse(t *testing.T) {
	inherited, err := os.Open("/dev/null")
	require.NoError(t, err)
	defer inherited.Close()
	_, err = unix.FcntlInt(inherited.Fd(), unix.F_SETFD, 0)
	require.NoError(t, err)
	inEachMode(t, func(t *testing.T, mode process.Command) {
		mode.Path = "/bin/sh"
		mode.Args = []string{"-c", "read wait; grep SigIgn /proc/self/status; exec ls -l /proc/self/fd"}
		p, err := process.Start(mode)
		require.NoError(t, err)
		defer terminate(t, p)
		group, err := syscall.Getpgid(p.PID())
		require.NoError(t, err)
		require.Equal(t, p.PID(), group)
		require.NoError(t, p.Stdin().Close())
		require.Equal(t, "SigIgn:\t0000000000000000", readLine(t, p.Stdout()))
		files, err := io.ReadAll(p.Stdout())
		require.NoError(t, err)
		require.NotContains(t, string(files), "socket:")
		if len(mode.Supervisor) > 0 {
			require.Equal(t, 4, strings.Count(string(files), " -> "), "three pipes and what ls itself opens: %s", files)
		}
	})
}

// Another server does not hold the first one's pipes open.
func TestEndOfStdinArrivesBesideOthers(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		first := start(t, mode, "echo", "exit:0")
		start(t, mode, "sleep")
		require.NoError(t, first.Stdin().Close())
		require.NoError(t, drain(first))
		awaitExit(t, first)
	})
}

func TestNothingLeaks(t *testing.T) {
	inEachMode(t, func(t *testing.T, mode process.Command) {
		round := func(i int) {
			c := mode
			c.Path, c.Args = "/bin/sh", []string{"-c", "sleep 60 & echo up; exec cat"}
			p, err := process.Start(c)
			require.NoError(t, err)
			require.Equal(t, "up", readLine(t, p.Stdout()))
			if i%2 == 0 {
				require.NoError(t, p.Stdin().Close()) // it exits by itself
				require.NoError(t, drain(p))
				awaitExit(t, p)
			}
			terminate(t, p)
			c.Path = "/vanished"
			_, err = process.Start(c)
			require.Error(t, err)
		}
		round(0)
		goroutines, files := runtime.NumGoroutine(), openFiles(t)
		for i := range 50 {
			round(i)
		}
		settled := func() bool { return runtime.NumGoroutine() <= goroutines && openFiles(t) <= files }
		for late := time.Now().Add(patience); !settled() && time.Now().Before(late); {
			time.Sleep(10 * time.Millisecond)
		}
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
		require.LessOrEqual(t, openFiles(t), files)
	})
}

func openFiles(t *testing.T) int {
	names, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(names)
}

func BenchmarkStartTerminate(b *testing.B) {
	for name, supervisor := range map[string][]string{"direct": nil, "supervised": {os.Args[0], "supervise"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := process.Start(process.Command{Path: "/bin/cat", Dir: "/", Supervisor: supervisor, KillGrace: patience})
				if err != nil {
					b.Fatal(err)
				}
				if err := p.Terminate(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
