package stdio

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/seam/seamtest"
)

func TestConforms(t *testing.T) {
	script := fakeserver.Script{
		Capabilities: fakeserver.Raw(`{"textDocumentSync":1,"definitionProvider":true,"referencesProvider":true,"hoverProvider":true}`),
		On: on("textDocument/hover",
			fakeserver.Action{}, // the case of the table
			fakeserver.Action{Result: fakeserver.Raw(`null`)},
			fakeserver.Action{}),
	}
	h := begin(t, script, nil)
	outside := filepath.Join(t.TempDir(), "b.go")
	require.NoError(t, os.WriteFile(outside, []byte("package b\n"), 0o600))
	real, err := filepath.EvalSymlinks(h.dir)
	require.NoError(t, err)
	uri := workspace.FileURI(real)
	place := seamtest.Place{File: "a.go"}
	at := func(line int) seam.Location {
		return seam.Location{URI: uri + "/a.go", Range: seam.Range{Start: seam.Position{Line: line}, End: seam.Position{Line: line, Character: 1}}}
	}
	seamtest.Run(t, seamtest.Fixture{
		Provider: h.provider, Root: h.dir, WorkspaceURI: uri, Language: "go",
		Cases: []seamtest.Case{
			{Operation: seam.OpGoToDefinition, Place: place, Locations: []seam.Location{at(0)}},
			{Operation: seam.OpFindReferences, Place: place, Locations: []seam.Location{at(0), at(1)}},
			{Operation: seam.OpHover, Place: place, Hover: "fake"},
		},
		Nothing:     place,
		Unsupported: []seam.Operation{seam.OpGoToImplementation},
		OutsideFile: outside,
	})
	require.Len(t, h.starts(), 1)
}

// what is wrong with the request, the workspace or the source is
// found before a process is started; the order is A-083's.
func TestNothingStartsForABadSource(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	write(t, h.dir, "binary.go", "\x00")
	cases := []struct {
		name   string
		change func(*seam.Target)
		code   seam.Code
	}{
		{"A-083 workspace first", func(t *seam.Target) { t.WorkspaceRoot, t.FilePath = "/no/such", "none.go" }, seam.CodeWorkspaceRequired},
		{"A-081 missing", func(t *seam.Target) { t.FilePath = "none.go" }, seam.CodeSourceRejected},
		{"A-067 outside", func(t *seam.Target) { t.FilePath = "/etc/hostname" }, seam.CodeSourceRejected},
		{"A-081 binary", func(t *seam.Target) { t.FilePath = "binary.go" }, seam.CodeSourceRejected},
		{"position", func(t *seam.Target) { t.Position.Line = 9 }, seam.CodeInvalidArgs},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			target := h.target()
			c.change(&target)
			_, err := h.provider.Hover(t.Context(), target)
			require.Equal(t, c.code, seam.CodeOf(err), "%v", err)
		})
	}
	require.Empty(t, h.starts())
}

// a query in line sees the text as of its own turn.
func TestQueuedQueryReadsLate(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover",
		fakeserver.Action{DelayMS: 300},
		fakeserver.Action{Result: fakeserver.Raw(`{"contents":"$text"}`)})}, nil)
	first := make(chan error, 1)
	go func() {
		_, err := h.hover(t.Context())
		first <- err
	}()
	h.wait("textDocument/hover", 1)
	second := make(chan string, 1)
	go func() {
		text, _ := h.hover(t.Context())
		second <- text
	}()
	eventually(t, "the second is in line", func() bool { return h.workspaceStatus().Queue == 1 })
	write(t, h.dir, "a.go", "package changed\n")
	require.NoError(t, <-first)
	require.Equal(t, "package changed\n", <-second)
}

// A start takes its time, and the question is about the text of after it.
func TestSourceIsReadAfterTheStart(t *testing.T) {
	h := begin(t, fakeserver.Script{On: map[string][]fakeserver.Action{
		"initialize":         {{DelayMS: 500}},
		"textDocument/hover": {{Result: fakeserver.Raw(`{"contents":"$text"}`)}},
	}}, nil)
	answer := make(chan string, 1)
	go func() {
		text, _ := h.hover(t.Context())
		answer <- text
	}()
	h.wait("initialize", 1)
	write(t, h.dir, "a.go", "package later\n")
	require.Equal(t, "package later\n", <-answer)
}

// a death is answered by a fresh server, once, with the text
// read again.
func TestRetryAfterDeath(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{Exit: fakeserver.Exit(1), NoReply: true})}, nil)
	// one that died while idle is replaced without a word.
	_, err := h.hover(t.Context())
	require.NoError(t, err)
	process, err := os.FindProcess(h.starts()[0])
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	eventually(t, "the death is seen", func() bool { return len(h.workspaceStatus().Processes) == 0 })
	text, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "fake", text)
	require.Len(t, h.starts(), 2)

	// one that dies of the question takes a second with it, and no third.
	_, err = h.ask(t.Context(), seam.OpFindReferences)
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err), "%v", err)
	require.Len(t, h.starts(), 3)
	require.Equal(t, 2, h.count("textDocument/references"))
	// the next is not worse off.
	_, err = h.hover(t.Context())
	require.NoError(t, err)
}

// an error reply is an answer, and is not asked for again.
func TestErrorReplyIsNotRetried(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Error: fakeserver.Raw(`{"code":-32603,"message":"no"}`)})}, nil)
	_, err := h.hover(t.Context())
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
	require.Equal(t, 1, h.count("textDocument/hover"))
	require.Len(t, h.starts(), 1)
}

// a failed handshake is not retried within the query, and the next starts afresh.
func TestFailedHandshake(t *testing.T) {
	h := begin(t, fakeserver.Script{Capabilities: fakeserver.Raw(`{"positionEncoding":"utf-8"}`)}, nil)
	for n := 1; n <= 2; n++ {
		_, err := h.hover(t.Context())
		require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
		require.Len(t, h.starts(), n)
	}
}

// A-167 corrected: a document that kills every server does not spawn without end; the
// circuit opens, says for how long, and is visible.
func TestCircuit(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Exit: fakeserver.Exit(1), NoReply: true})}, func(c *Config) {
		c.Circuit = Circuit{Failures: 3, Cooldown: time.Hour}
	})
	var last error
	for range 5 {
		_, last = h.hover(t.Context())
		require.Error(t, last)
	}
	coded := seam.AsError(last)
	require.Equal(t, seam.CodeUnavailable, coded.Code)
	require.True(t, coded.Retryable)
	require.InDelta(t, time.Hour, coded.RetryAfter, float64(10*time.Minute))
	require.Len(t, h.starts(), 3)
	status := h.workspaceStatus()
	require.Equal(t, 3, status.Failures)
	require.Positive(t, status.CircuitOpen)
	require.Contains(t, status.LastError, "exit")
}

// After the cool-down one start is tried, and a good answer closes the circuit.
func TestCircuitCloses(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{Exit: fakeserver.Exit(1), NoReply: true})}, func(c *Config) {
		c.Circuit = Circuit{Failures: 2, Cooldown: 3 * time.Second}
	})
	_, err := h.ask(t.Context(), seam.OpFindReferences)
	require.Error(t, err)
	_, err = h.hover(t.Context())
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	time.Sleep(seam.AsError(err).RetryAfter)
	_, err = h.hover(t.Context())
	require.NoError(t, err)
	require.Zero(t, h.workspaceStatus().Failures)
}

// A-163 corrected: a limit of the deployment ends the query of a caller that sets none, and
// counts.
func TestQueryLimit(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) { c.QueryTimeout = 300 * time.Millisecond })
	_, err := h.hover(context.Background())
	coded := seam.AsError(err)
	require.Equal(t, seam.CodeTimeout, coded.Code)
	require.Equal(t, "limits.queryTimeoutMs", coded.Limit)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	eventually(t, "it counts", func() bool { return h.workspaceStatus().Failures == 1 })

	// A caller's own deadline counts against nobody, whatever it is.
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = h.hover(ctx)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.Empty(t, seam.AsError(err).Limit)
	require.Equal(t, 1, h.workspaceStatus().Failures)
}

// A start limit names itself.
func TestStartLimit(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("initialize", fakeserver.Action{NoReply: true})}, func(c *Config) { c.StartTimeout = 100 * time.Millisecond })
	_, err := h.hover(t.Context())
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.Equal(t, "startTimeoutMs", seam.AsError(err).Limit)
	eventually(t, "it counts", func() bool { return h.workspaceStatus().Failures == 1 })
}

// A-224 corrected: a file outside the workspace may be asked about once the provider has
// returned it, and files of the deployment's source roots always.
func TestFollowOutside(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "lib.go", "package lib\n")
	path, err := filepath.EvalSymlinks(filepath.Join(outside, "lib.go"))
	require.NoError(t, err)
	place := `{"uri":"` + workspace.FileURI(path) + `","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}`
	h := begin(t, fakeserver.Script{On: on("textDocument/definition", fakeserver.Action{Result: fakeserver.Raw(place)})}, nil)
	target := h.target()
	target.FilePath = path
	_, err = h.provider.Hover(t.Context(), target)
	require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err))
	_, err = h.ask(t.Context(), seam.OpGoToDefinition)
	require.NoError(t, err)
	_, err = h.provider.Hover(t.Context(), target)
	require.NoError(t, err)

	rooted := begin(t, fakeserver.Script{}, func(c *Config) { c.SourceRoots = []string{outside} })
	target.WorkspaceRoot = rooted.dir
	_, err = rooted.provider.Hover(t.Context(), target)
	require.NoError(t, err)
}
