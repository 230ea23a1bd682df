package langserver

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// patient is how long a test waits for what must happen. It is wide: a slow machine is no
// failure.
const patient = 60 * time.Second

// harness is a fake server in a workspace of its own.
type harness struct {
	t      *testing.T
	dir    string
	log    string
	view   *workspace.View
	server *Server
}

func begin(t *testing.T, script fakeserver.Script, change func(*Config)) *harness {
	t.Helper()
	h := &harness{t: t, dir: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	h.write("a.go", "package a\n\nvar x = 1\n")
	files := workspace.NewFiles(4)
	root, err := files.Root(t.Context(), h.dir)
	require.NoError(t, err)
	h.view, err = files.View(t.Context(), root, workspace.ViewOptions{MaxBytes: 1 << 20})
	require.NoError(t, err)
	script.Log = h.log
	path, args, err := fakeserver.Command(script)
	require.NoError(t, err)
	config := Config{
		ID: "fake", Path: path, Args: args, Env: os.Environ(), Supervisor: []string{path, "supervise"},
		MaxMessageBytes: 1 << 20, MaxStderrBytes: 1000,
		StartTimeout: patient, ReadyTimeout: patient, ShutdownTimeout: patient, KillGrace: time.Second,
		OpenDocuments: 16, CancelRequests: true,
		Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&config)
	}
	h.server = Start(config, h.view, h.view.Root(), nil)
	t.Cleanup(func() {
		h.server.Stop()
		<-h.server.Done()
		h.view.Close()
		require.NoError(t, files.Wait(t.Context()))
	})
	return h
}

func (h *harness) write(name, text string) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600))
}

// query reads a file and asks about its start.
func (h *harness) query(name string, op seam.Operation) Query {
	h.t.Helper()
	source, err := h.view.Read(h.t.Context(), name)
	require.NoError(h.t, err)
	return Query{Operation: op, LanguageID: "go", Source: source}
}

func (h *harness) ask(name string, op seam.Operation) (seam.Result, error) {
	h.t.Helper()
	<-h.server.Started()
	return h.server.Query(h.t.Context(), h.query(name, op))
}

// hover asks and returns the text.
func (h *harness) hover(name string) string {
	h.t.Helper()
	result, err := h.ask(name, seam.OpHover)
	require.NoError(h.t, err)
	return result.(seam.HoverResult).Hover.Contents
}

func (h *harness) events() []fakeserver.Event {
	h.t.Helper()
	events, err := fakeserver.ReadLog(h.log)
	require.NoError(h.t, err)
	return events
}

// wait waits for that many events of a method and returns them.
func (h *harness) wait(method string, count int) []fakeserver.Event {
	h.t.Helper()
	all, err := fakeserver.WaitLog(h.log, patient, func(e []fakeserver.Event) bool { return fakeserver.Count(e, method) >= count })
	require.NoError(h.t, err)
	var events []fakeserver.Event
	for _, e := range all {
		if e.Method == method {
			events = append(events, e)
		}
	}
	require.Len(h.t, events, count, "%s", method)
	return events
}

// methods lists what the server received, in order, without its own events.
func (h *harness) methods() []string {
	var names []string
	for _, e := range h.events() {
		switch e.Method {
		case "start", "helper", "eof", "reply":
		default:
			names = append(names, e.Method)
		}
	}
	return names
}

// stop ends the server and waits.
func (h *harness) stop() {
	h.server.Stop()
	<-h.server.Done()
}

func on(method string, actions ...fakeserver.Action) map[string][]fakeserver.Action {
	return map[string][]fakeserver.Action{method: actions}
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }
