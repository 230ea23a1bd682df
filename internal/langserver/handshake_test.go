package langserver

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// what is said in the handshake, and in which order.
func TestHandshake(t *testing.T) {
	h := begin(t, fakeserver.Script{}, func(c *Config) {
		c.InitializationOptions = raw(`{"x":[1]}`)
		c.Settings = raw(`{"fake":{"y":2}}`)
	})
	h.hover("a.go")
	require.Equal(t, []string{"initialize", "initialized", "workspace/didChangeConfiguration", "textDocument/didOpen", "textDocument/hover"}, h.methods())

	initialize := h.wait("initialize", 1)[0]
	require.Equal(t, "1", string(initialize.ID))
	uri := h.view.Root().URI()
	require.JSONEq(t, `{
		"processId": null,
		"clientInfo": {"name": "navseam"},
		"rootUri": "`+uri+`",
		"workspaceFolders": [{"uri": "`+uri+`", "name": "workspace"}],
		"initializationOptions": {"x":[1]},
		"capabilities": {
			"general": {"positionEncodings": ["utf-16"]},
			"window": {"workDoneProgress": true},
			"workspace": {"workspaceFolders": true, "configuration": true},
			"textDocument": {
				"synchronization": {"dynamicRegistration": false},
				"hover": {"contentFormat": ["markdown", "plaintext"]},
				"definition": {"linkSupport": true},
				"implementation": {"linkSupport": true},
				"references": {}
			},
			"experimental": {"serverStatusNotification": true}
		}
	}`, string(initialize.Params))
	require.JSONEq(t, `{}`, string(h.wait("initialized", 1)[0].Params))
	require.JSONEq(t, `{"settings":{"fake":{"y":2}}}`, string(h.wait("workspace/didChangeConfiguration", 1)[0].Params))
}

func TestHandshakeFailures(t *testing.T) {
	cases := []struct {
		name   string
		script fakeserver.Script
		change func(*Config)
		code   seam.Code
		says   string
		lost   bool
	}{
		{name: "A-125 encoding", script: fakeserver.Script{Capabilities: raw(`{"positionEncoding":"utf-8"}`)}, code: seam.CodeProviderFailed, says: "utf-8"},
		{name: "A-127 null result", script: fakeserver.Script{On: on("initialize", fakeserver.Action{Result: raw(`null`)})}, code: seam.CodeMalformedResponse, says: "capabilities"},
		{name: "A-141 missing result", script: fakeserver.Script{On: on("initialize", fakeserver.Action{Reply: `{"id":$id}`})}, code: seam.CodeMalformedResponse, says: "initialize"},
		{name: "error reply", script: fakeserver.Script{On: on("initialize", fakeserver.Action{Error: raw(`{"code":-32002,"message":"bad options","data":1}`)})}, code: seam.CodeProviderFailed, says: "bad options"},
		{name: "A-095 exit at once with words on stderr", script: fakeserver.Script{On: on("start", fakeserver.Action{Stderr: " need --stdio\n", Exit: fakeserver.Exit(4)})}, code: seam.CodeProviderFailed, says: "language server exited: server \"fake\": exit status 4\nneed --stdio", lost: true},
		{name: "exit at initialize", script: fakeserver.Script{On: on("initialize", fakeserver.Action{NoReply: true, Exit: fakeserver.Exit(0)})}, code: seam.CodeProviderFailed, says: "exit status 0", lost: true},
		{name: "A-091 spawn failure", change: func(c *Config) { c.Path += "-gone" }, code: seam.CodeProviderFailed, says: "no such file"},
		{name: "dead handshake", script: fakeserver.Script{On: on("initialize", fakeserver.Action{NoReply: true, Stderr: "waiting for nothing"})}, change: func(c *Config) { c.StartTimeout = 300 * time.Millisecond }, code: seam.CodeTimeout, says: "waiting for nothing"},
		{name: "no language server: prints text", script: fakeserver.Script{On: on("start", fakeserver.Action{Raw: "usage: fake\n", Repeat: 10000})}, code: seam.CodeProviderFailed, says: "protocol", lost: true},
		{name: "A-105 broken header", script: fakeserver.Script{On: on("initialize", fakeserver.Action{Raw: "Content-Length: x\r\n\r\n"})}, code: seam.CodeProviderFailed, says: "protocol", lost: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, c.script, c.change)
			<-h.server.Started()
			err := h.server.StartErr()
			require.Error(t, err)
			require.Equal(t, c.code, seam.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, c.lost, Lost(err))
			_, again := h.server.Query(t.Context(), h.query("a.go", seam.OpHover))
			require.Equal(t, err, again)
			<-h.server.Done() // it is torn down without being told
			require.True(t, h.server.Crashed())
			require.NoError(t, h.server.LeftErr())
			require.False(t, h.server.Alive())
		})
	}
}

// The start outlives nobody's interest: a stop in the middle ends it.
func TestStopDuringHandshake(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("initialize", fakeserver.Action{NoReply: true})}, nil)
	h.wait("initialize", 1)
	h.stop()
	require.Error(t, h.server.StartErr())
	require.False(t, h.server.Crashed())
	// A-172 corrected: no shutdown for a server that has not shaken hands.
	require.NotContains(t, h.methods(), "shutdown")
}

// A start behind a gate waits for it, even when it is stopped meanwhile.
func TestGate(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	gate := make(chan struct{})
	s := Start(h.server.config, h.view, h.view.Root(), gate)
	require.Equal(t, Waiting, s.Status().Phase)
	s.Stop()
	select {
	case <-s.Done():
		require.Fail(t, "done before the gate opened")
	case <-time.After(20 * time.Millisecond):
	}
	close(gate)
	<-s.Done()
	require.Equal(t, Gone, s.Status().Phase)
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(s.StartErr()))
}

func TestReadyWaits(t *testing.T) {
	logged := []fakeserver.Message{{Method: "window/logMessage", Params: raw(`{"type":3,"message":"Found 3 source files"}`)}}
	script := fakeserver.Script{On: on("workspace/didChangeConfiguration", fakeserver.Action{DelayMS: 200, Notify: logged})}
	h := begin(t, script, func(c *Config) { c.ReadyWhen = readyLog() })
	h.hover("a.go")
	require.True(t, h.server.activity.seen)
	require.False(t, h.server.Status().Late)

	// A query that had to wait asks about the text of then, not of before.
	script.On["textDocument/hover"] = []fakeserver.Action{{Result: raw(`{"contents":"$text"}`)}}
	h = begin(t, script, func(c *Config) { c.ReadyWhen = readyLog() })
	<-h.server.Started()
	q := h.query("a.go", seam.OpHover)
	h.write("a.go", "package later\n")
	result, err := h.server.Query(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "package later\n", result.(seam.HoverResult).Hover.Contents)

	// Without its signal the server is asked all the same, when the time is over.
	h = begin(t, fakeserver.Script{}, func(c *Config) {
		c.ReadyWhen = readyLog()
		c.ReadyTimeout = 50 * time.Millisecond
	})
	h.hover("a.go")
	require.False(t, h.server.activity.seen)
	require.Equal(t, Ready, h.server.Status().Phase)
	require.True(t, h.server.Status().Late)
}

// Why a start failed is told in a word too, for those who give advice.
func TestReasonsOfFailedStarts(t *testing.T) {
	tests := map[string]struct {
		action fakeserver.Action
		change func(*Config)
		code   seam.Code
		reason string
		says   string
	}{
		"exit":           {fakeserver.Action{NoReply: true, Exit: fakeserver.Exit(3)}, nil, seam.CodeProviderFailed, seam.ReasonExit, "exit status 3"},
		"text, then end": {fakeserver.Action{NoReply: true, Raw: "Welcome!\n", Exit: fakeserver.Exit(0)}, nil, seam.CodeProviderFailed, seam.ReasonNotServer, `messages are due: "Welcome!"`},
		"text and no end": {
			fakeserver.Action{NoReply: true, Raw: "\nWelcome!\n"},
			func(c *Config) { c.StartTimeout = 2 * time.Second },
			seam.CodeTimeout, seam.ReasonNotServer, `messages are due: "Welcome!"`,
		},
		"broken frame": {fakeserver.Action{Header: "Content-Length: x\r\n\r\n"}, nil, seam.CodeProviderFailed, seam.ReasonBreach, "broke the protocol"},
		"error":        {fakeserver.Action{Error: raw(`{"code":1,"message":"no"}`)}, nil, seam.CodeProviderFailed, "", "no (code 1)"},
		"no program": {
			fakeserver.Action{},
			func(c *Config) { c.Path = filepath.Join(filepath.Dir(c.Path), "none"); c.Supervisor = nil },
			seam.CodeProviderFailed, seam.ReasonNotStarted, "could not be started",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: on("initialize", test.action)}, test.change)
			<-h.server.Started()
			failed := seam.AsError(h.server.StartErr())
			require.Equal(t, test.code, failed.Code)
			require.Equal(t, test.reason, failed.Reason, failed.Message)
			require.Contains(t, failed.Message, test.says)
		})
	}
}

func TestStatus(t *testing.T) {
	begun := []fakeserver.Message{
		{ID: raw("1"), Method: "window/workDoneProgress/create", Params: raw(`{"token":"t"}`)},
		{Method: "$/progress", Params: raw(`{"token":"t","value":{"kind":"begin","title":"Loading","percentage":12}}`)},
	}
	h := begin(t, fakeserver.Script{On: on("initialized", fakeserver.Action{Notify: begun[1:], Ask: begun[:1]})}, nil)
	h.hover("a.go")
	status := h.server.Status()
	require.Equal(t, Ready, status.Phase)
	require.Equal(t, "Loading: 12%", status.Progress)
	require.Equal(t, 1, status.Documents)
	require.Positive(t, status.StartTook)
	require.Equal(t, h.wait("start", 1)[0].PID, status.PID)
	require.False(t, strings.Contains(string(h.wait("reply", 1)[0].Params), "code"))
}
