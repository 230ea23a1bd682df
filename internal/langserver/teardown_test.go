package langserver

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// shutdown and exit, both without params, and the time to leave.
func TestOrderlyEnd(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("exit", fakeserver.Action{DelayMS: 300})}, nil)
	h.hover("a.go")
	h.stop()
	require.False(t, h.server.Crashed())
	require.NoError(t, h.server.LeftErr())
	methods := h.methods()
	require.Equal(t, []string{"shutdown", "exit"}, methods[len(methods)-2:])
	require.Empty(t, h.wait("shutdown", 1)[0].Params)
	require.Empty(t, h.wait("exit", 1)[0].Params)
	require.Equal(t, "exit status 0", h.server.process.Status())
}

// the end is one, however often it is asked for, and a server that is ending
// answers nothing.
func TestEndIsOne(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	h.hover("a.go")
	for range 10 {
		go h.server.Stop()
	}
	<-h.server.Done()
	h.stop()
	require.False(t, h.server.Alive())
	_, err := h.server.Query(t.Context(), h.query("a.go", seam.OpHover))
	require.Error(t, err)
	h.wait("shutdown", 1)
}

// servers that refuse to go, and what they leave behind, are
// gone when the end is done.
func TestRefusesToGo(t *testing.T) {
	cases := []struct {
		name   string
		script fakeserver.Script
	}{
		{"A-172 shutdown is not answered", fakeserver.Script{On: on("shutdown", fakeserver.Action{NoReply: true})}},
		{"A-172 shutdown is answered with an error", fakeserver.Script{On: on("shutdown", fakeserver.Action{Error: raw(`{"code":1,"message":"no"}`)})}},
		{"exit is ignored, the end of input is heeded", fakeserver.Script{IgnoreExit: true}},
		{"A-174 ignores all but SIGKILL", fakeserver.Script{IgnoreExit: true, IgnoreEOF: true, IgnoreSignals: true}},
		{"reads no more", fakeserver.Script{IgnoreSignals: true, On: on("textDocument/hover", fakeserver.Action{Hang: true})}},
		{"A-176 a helper in its group", fakeserver.Script{Helper: "group"}},
		{"A-176 a helper in its own session", fakeserver.Script{Helper: "session"}},
		{"A-176 a helper that outlives a crash", fakeserver.Script{Helper: "group", On: on("textDocument/hover", fakeserver.Action{Exit: fakeserver.Exit(1)})}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, c.script, func(c *Config) {
				c.ShutdownTimeout = 200 * time.Millisecond
				c.KillGrace = 200 * time.Millisecond
			})
			_, _ = h.ask("a.go", seam.OpHover)
			h.stop()
			require.NoError(t, h.server.LeftErr())
			for _, e := range h.events() {
				if e.Method == "start" || e.Method == "helper" {
					require.False(t, fakeserver.Running(e.PID), "process %d (%s) is still there", e.PID, e.Method)
				}
			}
		})
	}
}

// A flood on stderr blocks nobody, and its end is what is kept.
func TestStderrFlood(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Stderr: strings.Repeat("noise ", 100), Repeat: 10_000})}, nil)
	require.Equal(t, "fake", h.hover("a.go"))
	require.Len(t, h.server.process.Stderr(), 1000)
}

// Nothing is left in this process either.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		h := begin(t, fakeserver.Script{}, nil)
		h.hover("a.go")
		h.stop()
	}
	deadline := time.Now().Add(patient)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}
