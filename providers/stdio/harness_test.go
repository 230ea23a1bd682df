package stdio

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/process"
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

// patient is how long a test waits for what must happen.
const patient = 60 * time.Second

// harness is a provider of fake servers, with one pool.
type harness struct {
	t        *testing.T
	dir      string
	log      string
	pool     *Pool
	provider *Provider
}

func begin(t *testing.T, script fakeserver.Script, change func(*Config)) *harness {
	t.Helper()
	return beginIn(t, newPool(t, 8), script, change)
}

// newPool makes a pool that is closed after the providers in it.
func newPool(t *testing.T, limit int) *Pool {
	pool := NewPool(limit)
	t.Cleanup(func() { require.NoError(t, pool.Close(context.Background())) })
	return pool
}

func beginIn(t *testing.T, pool *Pool, script fakeserver.Script, change func(*Config)) *harness {
	t.Helper()
	h := &harness{t: t, dir: t.TempDir(), log: filepath.Join(t.TempDir(), "log"), pool: pool}
	write(t, h.dir, "a.go", "package a\n")
	script.Log = h.log
	path, args, err := fakeserver.Command(script)
	require.NoError(t, err)
	config := Config{
		ID: "fake", Routes: seam.Routes{Extensions: map[string]string{".go": "go"}},
		Command: path, Args: args, Supervisor: []string{path, "supervise"},
		MaxMessageBytes: 1 << 20, MaxStderrBytes: 1000, MaxDocumentBytes: 1 << 20,
		StartTimeout: patient, ReadyTimeout: patient, ShutdownTimeout: 5 * time.Second, KillGrace: time.Second,
		QueryTimeout: patient, OpenDocuments: 16, Instances: 1, CancelRequests: true,
		Circuit: Circuit{Failures: 5, Cooldown: time.Minute},
		Log:     slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&config)
	}
	h.provider, err = New(config, pool)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, h.provider.Close(context.Background()))
		for _, e := range h.events() {
			if e.Method == "start" || e.Method == "helper" {
				require.False(t, fakeserver.Running(e.PID), "process %d is left", e.PID)
			}
		}
	})
	return h
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func (h *harness) target() seam.Target {
	return seam.Target{FilePath: "a.go", WorkspaceRoot: h.dir, LanguageID: "go"}
}

func (h *harness) ask(ctx context.Context, op seam.Operation) (seam.Result, error) {
	return seam.Ask(ctx, h.provider, op, h.target())
}

func (h *harness) hover(ctx context.Context) (string, error) {
	answer, err := h.provider.Hover(ctx, h.target())
	if err != nil {
		return "", err
	}
	return answer.Hover.Contents, nil
}

func (h *harness) events() []fakeserver.Event {
	events, err := fakeserver.ReadLog(h.log)
	require.NoError(h.t, err)
	return events
}

func (h *harness) count(method string) int { return fakeserver.Count(h.events(), method) }

// wait waits until a method was received that many times.
func (h *harness) wait(method string, count int) {
	h.t.Helper()
	events, err := fakeserver.WaitLog(h.log, patient, func(e []fakeserver.Event) bool { return fakeserver.Count(e, method) >= count })
	require.NoError(h.t, err)
	require.GreaterOrEqual(h.t, fakeserver.Count(events, method), count, "%s", method)
}

// starts lists the processes that were started, in order.
func (h *harness) starts() []int {
	var pids []int
	for _, e := range h.events() {
		if e.Method == "start" {
			pids = append(pids, e.PID)
		}
	}
	return pids
}

// eventually waits for a condition that nothing signals.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patient); !condition(); time.Sleep(5 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "never: %s", what)
	}
}

func on(method string, actions ...fakeserver.Action) map[string][]fakeserver.Action {
	return map[string][]fakeserver.Action{method: actions}
}

func (h *harness) workspaceStatus() WorkspaceStatus {
	status := h.provider.Status()
	if len(status.Workspaces) == 0 {
		return WorkspaceStatus{}
	}
	return status.Workspaces[0]
}
