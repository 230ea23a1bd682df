//go:build unix

package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // processes end at once under the race detector
	if len(os.Args) > 1 && os.Args[1] == "supervise" {
		os.Exit(process.Supervise(os.Args[2:]))
	}
	fakeserver.Main()
	os.Exit(m.Run())
}

const (
	callers    = 64
	workspaces = 8
	files      = 4 // of each extension in a workspace

	// atMost is how late a caller may be back. It is wide: what is proved is that nobody is
	// held for as long as a server likes.
	atMost = time.Second
)

// duration is NAVSEAM_SOAK, a Go duration; a few seconds without.
func duration(t *testing.T) time.Duration {
	text := os.Getenv("NAVSEAM_SOAK")
	if text == "" {
		return 5 * time.Second
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err, "NAVSEAM_SOAK")
	return d
}

func TestLoad(t *testing.T) {
	running := runtime.NumGoroutine()
	log := filepath.Join(t.TempDir(), "log")
	s := &soak{t: t, seed: uint64(time.Now().UnixNano()), roots: roots(t), configs: []host.Config{config(t, log, 12), config(t, log, 6)}}
	t.Logf("seed %d", s.seed)
	s.open()
	ctx, cancel := context.WithTimeout(context.Background(), duration(t))
	defer cancel()
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() { s.call(ctx, rand.New(rand.NewPCG(s.seed, uint64(i)))) })
	}
	all.Go(func() { s.reload(ctx) })
	all.Go(func() { s.kill(ctx, rand.New(rand.NewPCG(s.seed, callers))) })
	all.Go(func() { s.control(ctx) })
	all.Wait()

	began := time.Now()
	require.NoError(t, s.host.Close(context.Background()))
	t.Logf("%d right answers, %d failures with a code that was due, %d kills, %d reloads; late by %v at most, a timer alone by %v; closed in %v",
		s.right.Load(), s.coded.Load(), s.kills.Load(), s.reloads.Load(), time.Duration(s.late.Load()), time.Duration(s.lateTimer.Load()), time.Since(began).Round(time.Millisecond))
	require.Positive(t, s.right.Load())
	require.Positive(t, s.kills.Load())
	require.Positive(t, s.reloads.Load())
	s.nothingIsLeft(log, running)
}

// soak is one run.
type soak struct {
	t       *testing.T
	seed    uint64
	roots   []string
	configs []host.Config
	host    *host.Host

	right, coded, kills, reloads atomic.Int64
	late, lateTimer              atomic.Int64 // nanoseconds, the worst
}

// roots are the workspaces. A file's name and text are its own.
func roots(t *testing.T) []string {
	var made []string
	for i := range workspaces {
		root, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		for _, extension := range []string{".instant", ".slow", ".mortal", ".refusing", ".module"} {
			for j := range files {
				text := fmt.Sprintf("workspace %d file %d%s\n", i, j, extension)
				require.NoError(t, os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d%s", j, extension)), []byte(text), 0o600))
			}
		}
		made = append(made, root)
	}
	return made
}

// config has servers that answer at once, late, until they die, and at times with an error; and a
// module. Each says which file it was asked about.
func config(t *testing.T, log string, processes int) host.Config {
	here := fakeserver.Action{Result: fakeserver.Raw(`[{"uri":"$uri","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}}}]`)}
	slow, last, refused := here, here, fakeserver.Action{Error: fakeserver.Raw(`{"code":-32603,"message":"not today"}`)}
	slow.DelayMS = 30
	last.NoReply, last.Exit = true, fakeserver.Exit(3)
	c := host.DefaultConfig()
	c.Limits.Processes = processes
	for extension, actions := range map[string][]fakeserver.Action{
		".instant":  {here},
		".slow":     {here, slow},
		".mortal":   {here, here, here, here, last},
		".refusing": {here, refused, here},
	} {
		program, args, err := fakeserver.Command(fakeserver.Script{Log: log, On: map[string][]fakeserver.Action{"textDocument/definition": actions}})
		require.NoError(t, err)
		server := host.DefaultServer()
		server.Command, server.Args = program, args
		server.ExtensionToLanguage = map[string]string{extension: "text"}
		server.Freshness.SettleMs = 0
		server.KillGraceMs, server.ShutdownTimeoutMs = 500, 500
		server.Circuit.CooldownMs = 200
		c.Servers[extension[1:]] = server
	}
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "host", "testdata", "echo.wasm"))
	require.NoError(t, err)
	module := host.DefaultModule()
	module.Path, module.ExtensionToLanguage = path, map[string]string{".module": "text"}
	module.Limits.CallTimeoutMs = 10_000
	c.Modules["module"] = module
	return c
}

func (s *soak) open() {
	program, err := os.Executable()
	require.NoError(s.t, err)
	s.host, err = host.Open(s.t.Context(), s.configs[0], host.Options{Supervisor: []string{program, "supervise"}})
	require.NoError(s.t, err)
}

// call asks, one question after the other, in any of the ways in which callers wait.
func (s *soak) call(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		root := s.roots[random.IntN(len(s.roots))]
		extension := []string{".instant", ".slow", ".mortal", ".refusing", ".module"}[random.IntN(5)]
		file := filepath.Join(root, fmt.Sprintf("f%d%s", random.IntN(files), extension))
		limit := time.Duration(1+random.IntN(400)) * time.Millisecond
		patient := random.IntN(3) == 0
		if patient {
			limit = 30 * time.Second
		}
		gaveUp := random.IntN(8) == 0
		asking, cancel := context.WithTimeout(context.Background(), limit)
		due := time.Now().Add(limit)
		if gaveUp {
			wait := time.Duration(random.IntN(50)) * time.Millisecond
			due = time.Now().Add(min(wait, limit))
			time.AfterFunc(wait, cancel)
		}
		result, err := s.host.Query(asking, seam.Request{Operation: seam.OpGoToDefinition, FilePath: file, WorkspaceRoot: root})
		cancel()
		late := time.Since(due)
		worst(&s.late, late)
		if late > atMost {
			s.t.Errorf("%s: back %v after its deadline of %v", filepath.Base(file), late, limit)
		}
		s.judge(file, extension, result, err, !patient, gaveUp)
	}
}

func worst(of *atomic.Int64, late time.Duration) {
	for before := of.Load(); int64(late) > before && !of.CompareAndSwap(before, int64(late)); {
		before = of.Load()
	}
}

// judge accepts the right answer, and the failures that were due.
func (s *soak) judge(file, extension string, result seam.Result, err error, impatient, gaveUp bool) {
	if err == nil {
		found, ok := result.(seam.Locations)
		if !ok || len(found.Items) != 1 || found.Items[0].URI != workspace.FileURI(file) ||
			found.WorkspaceURI != workspace.FileURI(filepath.Dir(file)) {
			s.t.Errorf("%s: a wrong answer: %+v", file, result)
			return
		}
		s.right.Add(1)
		return
	}
	var own *seam.ServerError
	due := false
	switch code := seam.CodeOf(err); code {
	case seam.CodeTimeout:
		due = impatient
	case seam.CodeCancelled:
		due = gaveUp
	case seam.CodeUnavailable: // all processes busy at the cap, or the circuit of one that is killed too often
		due = extension != ".module"
	case seam.CodeProviderFailed:
		due = extension == ".refusing" && errors.As(err, &own) || extension != ".module" && !errors.As(err, &own)
	}
	if !due {
		s.t.Errorf("%s: a failure that nothing explains: %v", filepath.Base(file), err)
		return
	}
	s.coded.Add(1)
}

// reload exchanges the configuration.
func (s *soak) reload(ctx context.Context) {
	for i := 1; ctx.Err() == nil; i++ {
		if err := s.host.Reload(context.Background(), s.configs[i%len(s.configs)]); err != nil {
			s.t.Errorf("reload: %v", err)
		}
		s.reloads.Add(1)
		pause(ctx, 300*time.Millisecond)
	}
}

// kill ends processes from without.
func (s *soak) kill(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		var pids []int
		for _, p := range s.host.Status().Providers {
			for _, w := range p.Server.Workspaces {
				for _, one := range w.Processes {
					if one.PID > 0 && one.State == "ready" {
						pids = append(pids, one.PID)
					}
				}
			}
		}
		if len(pids) > 0 && syscall.Kill(pids[random.IntN(len(pids))], syscall.SIGKILL) == nil {
			s.kills.Add(1)
		}
		pause(ctx, 150*time.Millisecond)
	}
}

// control is how late a timer is here that does nothing else.
func (s *soak) control(ctx context.Context) {
	for ctx.Err() == nil {
		due := time.Now().Add(20 * time.Millisecond)
		time.Sleep(20 * time.Millisecond)
		worst(&s.lateTimer, time.Since(due))
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// nothingIsLeft looks for the processes that were started, and for goroutines.
func (s *soak) nothingIsLeft(log string, running int) {
	events, err := fakeserver.ReadLog(log)
	require.NoError(s.t, err)
	started := 0
	for _, e := range events {
		switch e.Method {
		case "start":
			started++
			require.False(s.t, fakeserver.Running(e.PID), "process %d is left", e.PID)
		case "violation":
			require.Fail(s.t, "the protocol was broken", "%s", e.Params)
		}
	}
	require.Positive(s.t, started)
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > running; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			require.FailNow(s.t, "goroutines are left", "%s", stacks[:runtime.Stack(stacks, true)])
		}
	}
}
