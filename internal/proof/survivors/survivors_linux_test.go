package survivors

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/expect"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // processes end at once under the race detector
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "supervise":
			os.Exit(process.Supervise(os.Args[2:]))
		case "host":
			os.Exit(runHost(os.Args[2]))
		}
	}
	fakeserver.Main()
	os.Exit(m.Run())
}

const (
	// mark is the variable by which the processes of a round are found. Servers inherit it.
	mark = "SURVIVORS_ROUND"
	// gone is how long after the end of a host there may be processes.
	gone = 2 * time.Second
)

// job is what a host does until it is ended.
type job struct {
	Config  host.Config
	Root    string
	Request []seam.Request
	End     string // "panic" or "exit": what it does itself when it is told to on its input
}

// runHost is a host in a process of its own: it asks again and again. The end of its input and
// the signals that ask for an end close it.
func runHost(text string) int {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return 2
	}
	h, err := host.Open(ctx, j.Config, host.Options{Supervisor: []string{program, "supervise"}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	fmt.Println("open")
	ended := make(chan struct{})
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		switch strings.TrimSpace(line) {
		case "panic":
			panic("as a bug would")
		case "exit":
			os.Exit(3)
		}
		close(ended)
	}()
	asking, cancel := context.WithCancel(ctx)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for i := 0; asking.Err() == nil; i++ {
			_, _ = h.Query(asking, j.Request[i%len(j.Request)])
		}
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	cancel()
	<-asked
	if h.Close(context.Background()) != nil {
		return 1
	}
	return 0
}

// hosted is one that runs.
type hosted struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func start(t *testing.T, j job, name string) *hosted {
	t.Helper()
	text, err := json.Marshal(j)
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "host", string(text))
	cmd.Env = append(os.Environ(), mark+"="+name)
	cmd.Stderr = io.Discard // what a panic says
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "open\n", line)
	return &hosted{t, name, cmd, stdin}
}

// nobodyIsLeft waits, for no longer than gone, until no process has the mark.
func (h *hosted) nobodyIsLeft() {
	h.t.Helper()
	var left []string
	for deadline := time.Now().Add(gone); ; time.Sleep(20 * time.Millisecond) {
		if left = marked(h.t, h.name); len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	require.Empty(h.t, left, "processes are left")
}

// marked lists the processes with the mark.
func marked(t *testing.T, name string) []string {
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	var found []string
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil || !bytes.Contains(env, []byte(mark+"="+name+"\x00")) { // a zombie has none
			continue
		}
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		found = append(found, e.Name()+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}

// kills is how often each host is killed.
func kills() int {
	if os.Getenv("NAVSEAM_PROVE") != "" {
		return 100
	}
	return 4
}

func requests(root string, cases []expect.Case) []seam.Request {
	var all []seam.Request
	for _, c := range cases {
		all = append(all, seam.Request{Operation: c.Operation, FilePath: c.File, Position: c.Position, WorkspaceRoot: root})
	}
	return all
}

// A host that is killed takes its servers with it, at whatever moment: while they start, answer,
// are told of a change, or are idle.
func TestKilledHost(t *testing.T) {
	rounds := func(t *testing.T, j job, within time.Duration) {
		seed := uint64(time.Now().UnixNano())
		random := rand.New(rand.NewPCG(seed, 0))
		t.Logf("seed %d", seed)
		seen := 0
		for round := range kills() {
			h := start(t, j, fmt.Sprintf("%s-%d-%d", filepath.Base(t.Name()), os.Getpid(), round))
			time.Sleep(time.Duration(random.Int64N(int64(within))))
			seen += len(marked(t, h.name)) - 1
			require.NoError(t, h.cmd.Process.Kill())
			_ = h.cmd.Wait() // it was killed
			h.nobodyIsLeft()
		}
		t.Logf("%d processes were there when their host was killed", seen)
		require.Positive(t, seen)
	}
	for _, name := range realserver.Names() {
		t.Run(name, func(t *testing.T) {
			f := realserver.Prepare(t, name)
			config, err := host.Load(f.Config)
			require.NoError(t, err)
			rounds(t, job{Config: config, Root: f.Root, Request: requests(f.Root, f.FirstOfEach())}, 3*time.Second)
		})
	}
	for _, c := range fakes() {
		t.Run(c.name, func(t *testing.T) { rounds(t, fakeJob(t, c.script), 400*time.Millisecond) })
	}
}

// fake is a server that does not want to end.
type fake struct {
	name   string
	script fakeserver.Script
}

func fakes() []fake {
	return []fake{
		{"polite", fakeserver.Script{}},
		{"stubborn", fakeserver.Script{IgnoreEOF: true, IgnoreExit: true, IgnoreSignals: true}},
		{"helper in its group", fakeserver.Script{IgnoreEOF: true, IgnoreExit: true, IgnoreSignals: true, Helper: "group", HelperHolds: true}},
		{"helper in a session", fakeserver.Script{Helper: "session", HelperHolds: true}},
	}
}

func fakeJob(t *testing.T, script fakeserver.Script) job {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("alpha\n"), 0o600))
	program, args, err := fakeserver.Command(script)
	require.NoError(t, err)
	server := host.DefaultServer()
	server.Command, server.Args = program, args
	server.ExtensionToLanguage = map[string]string{".txt": "text"}
	server.ShutdownTimeoutMs, server.KillGraceMs = 300, 300
	config := host.DefaultConfig()
	config.Servers["fake"] = server
	return job{Config: config, Root: root, Request: []seam.Request{{Operation: seam.OpHover, FilePath: "a.txt", WorkspaceRoot: root}}}
}

// So does one that ends in any other way.
func TestEndedHost(t *testing.T) {
	ends := []struct {
		name string
		end  func(h *hosted)
	}{
		{"end of input", func(h *hosted) { require.NoError(h.t, h.stdin.Close()) }},
		{"SIGINT", func(h *hosted) { require.NoError(h.t, h.cmd.Process.Signal(syscall.SIGINT)) }},
		{"SIGTERM", func(h *hosted) { require.NoError(h.t, h.cmd.Process.Signal(syscall.SIGTERM)) }},
		{"panic", func(h *hosted) { _, _ = io.WriteString(h.stdin, "panic\n") }},
		{"exit without close", func(h *hosted) { _, _ = io.WriteString(h.stdin, "exit\n") }},
	}
	for _, c := range fakes() {
		t.Run(c.name, func(t *testing.T) {
			j := fakeJob(t, c.script)
			for i, end := range ends {
				t.Run(end.name, func(t *testing.T) {
					h := start(t, j, fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(c.name, " ", "-"), os.Getpid(), i))
					for deadline := time.Now().Add(time.Minute); len(marked(t, h.name)) < 2; time.Sleep(5 * time.Millisecond) {
						require.True(t, time.Now().Before(deadline), "no server was started")
					}
					end.end(h)
					_ = h.cmd.Wait() // with the status of its end
					h.nobodyIsLeft()
				})
			}
		})
	}
}
