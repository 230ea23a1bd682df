package stdio

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// late is how much later than its deadline a caller may be back on a slow machine.
const late = 10 * time.Second

// corrected: the caller is back at its deadline in every phase, whatever
// the server does.
func TestCallerIsReleased(t *testing.T) {
	cases := []struct {
		name   string
		script fakeserver.Script
		change func(*Config)
	}{
		{"A-156 start", fakeserver.Script{On: on("initialize", fakeserver.Action{NoReply: true})}, nil},
		{"A-156 ready signal", fakeserver.Script{}, func(c *Config) { c.ReadyWhen = ReadyWhen{Status: "quiescent"} }},
		{"A-156 request", fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, nil},
		{"A-160 ignored cancel", fakeserver.Script{IgnoreCancel: true, On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, nil},
		{"A-134 reads no more", fakeserver.Script{On: on("initialized", fakeserver.Action{Hang: true})}, nil},
		{"A-160 ignores everything", fakeserver.Script{IgnoreCancel: true, IgnoreEOF: true, IgnoreExit: true, IgnoreSignals: true, On: on("textDocument/hover", fakeserver.Action{NoReply: true, Hang: true})}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, c.script, func(config *Config) {
				config.ShutdownTimeout = 200 * time.Millisecond
				config.KillGrace = 200 * time.Millisecond
				if c.change != nil {
					c.change(config)
				}
			})
			big := make([]byte, 1<<20-100) // more than a pipe holds
			for i := range big {
				big[i] = '\n'
			}
			write(t, h.dir, "a.go", string(big))
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := h.hover(ctx)
			require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Less(t, time.Since(began), 500*time.Millisecond+late)
		})
	}
}

// corrected: a start outlives the caller that wanted it, and the next one
// joins it.
func TestStartIsJoined(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("initialize", fakeserver.Action{DelayMS: 1000})}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := h.hover(ctx)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	text, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "fake", text)
	require.Len(t, h.starts(), 1)
}

// a server that heeds a cancel is kept.
func TestCancelKeepsTheServer(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000}, fakeserver.Action{})}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		h.wait("textDocument/hover", 1)
		cancel()
	}()
	_, err := h.hover(ctx)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	h.wait("$/cancelRequest", 1)
	text, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "fake", text)
	require.Len(t, h.starts(), 1)
}

// a follower does not overlap an abandoned query, and does not wait for a
// server that will not settle.
func TestFollowerGetsAFreshServer(t *testing.T) {
	h := begin(t, fakeserver.Script{IgnoreCancel: true, On: on("textDocument/references", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) {
		c.ShutdownTimeout = 100 * time.Millisecond
		c.KillGrace = time.Hour // alone it would hold the slot that long
	})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := h.ask(ctx, seam.OpFindReferences)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	text, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "fake", text)
	require.Len(t, h.starts(), 2)
	for _, s := range h.starts()[:1] { // the grace of an hour is not for the test to wait out
		killNow(t, s)
	}
}

// With nobody waiting, an unsettled server goes after killGraceMs.
func TestUnsettledServerGoes(t *testing.T) {
	h := begin(t, fakeserver.Script{IgnoreCancel: true, On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) {
		c.ShutdownTimeout = 100 * time.Millisecond
		c.KillGrace = 100 * time.Millisecond
	})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := h.hover(ctx)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	eventually(t, "the process is gone", func() bool { return !fakeserver.Running(h.starts()[0]) })
	require.Zero(t, h.workspaceStatus().Failures)
}

// A server with cancelRequests off is let run out, and the follower waits for it.
func TestRunsOut(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 1000})}, func(c *Config) {
		c.CancelRequests = false
		c.KillGrace = patient
	})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := h.ask(ctx, seam.OpFindReferences)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	_, err = h.hover(t.Context())
	require.NoError(t, err)
	require.Len(t, h.starts(), 1)
	require.Zero(t, h.count("$/cancelRequest"))
}

// After a cancel, an empty answer or an internal error is checked against a fresh server,
// once; a good answer is trusted.
func TestSuspectIsChecked(t *testing.T) {
	for name, poisoned := range map[string]fakeserver.Action{
		"empty answer":   {Result: fakeserver.Raw(`[]`)},
		"internal error": {Error: fakeserver.Raw(`{"code":-32603,"message":"poisoned"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 1000}, poisoned)}, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				h.wait("textDocument/references", 1)
				cancel()
			}()
			_, err := h.ask(ctx, seam.OpFindReferences)
			require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
			found, err := h.ask(t.Context(), seam.OpFindReferences) // poisoned, then fresh, which takes its delay
			require.NoError(t, err)
			require.Len(t, found.(seam.Locations).Items, 2)
			require.Len(t, h.starts(), 2)
		})
	}
}

// leaving the line is always possible, and gives the place to the next.
func TestLeavingTheLine(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 500})}, nil)
	first := make(chan error, 1)
	go func() {
		_, err := h.ask(t.Context(), seam.OpFindReferences)
		first <- err
	}()
	h.wait("textDocument/references", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := h.hover(ctx)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.Zero(t, h.count("textDocument/hover"))
	_, err = h.hover(t.Context())
	require.NoError(t, err)
	require.NoError(t, <-first)
}
