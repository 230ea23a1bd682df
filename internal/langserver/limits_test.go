package langserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// The start's limit also ends a write that the server does not read, and that is a timeout
// and no death.
func TestStartLimitEndsAStuckWrite(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("start", fakeserver.Action{Hang: true})}, func(c *Config) {
		c.InitializationOptions = raw(`"` + strings.Repeat("x", 300_000) + `"`) // more than a pipe holds
		c.StartTimeout = 300 * time.Millisecond
	})
	select {
	case <-h.server.Started():
	case <-time.After(writeTimeout - time.Second):
		require.Fail(t, "the start is not bounded")
	}
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(h.server.StartErr()))
	require.False(t, Lost(h.server.StartErr()))
}

// What a server asks for does not grow beyond what it may send.
func TestConfigurationIsBounded(t *testing.T) {
	items := `{"items":[` + strings.Repeat(`{},`, 1000) + `{}]}`
	ask := fakeserver.Message{ID: raw("1"), Method: "workspace/configuration", Params: raw(items)}
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Ask: []fakeserver.Message{ask}})}, func(c *Config) {
		c.Configuration = raw(`"` + strings.Repeat("x", 2000) + `"`)
	})
	h.hover("a.go")
	require.Contains(t, string(h.wait("reply", 1)[0].Params), "-32602")

	var r registrations
	for i := range 2 * maxRegistrations {
		r.register(json.RawMessage(fmt.Sprintf(`{"registrations":[{"id":"%d","method":"m"}]}`, i)))
	}
	require.Len(t, r.made, maxRegistrations)
}

// A fence takes one look at the text, however many backticks that has.
func TestLongFence(t *testing.T) {
	ticks := strings.Repeat("`", 1<<20)
	text := fenced("md", "a"+ticks+"b``c")
	require.Equal(t, ticks+"`md\na"+ticks+"b``c\n"+ticks+"`", text)
	require.Equal(t, "```\nx``y\n```", fenced("", "x``y"))
}

// The words of a server that died are told in part.
func TestStderrInErrorsIsBounded(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("start", fakeserver.Action{Stderr: strings.Repeat("é", 500) + "\n", Repeat: 100, Exit: fakeserver.Exit(1)})},
		func(c *Config) { c.MaxStderrBytes = 1 << 20 })
	<-h.server.Started()
	require.ErrorContains(t, h.server.StartErr(), "exit status 1")
	require.Less(t, len(h.server.StartErr().Error()), maxToldStderr+1000)
}

// When the connection is ended from this side, that is the cause that is told.
func TestOwnCauseIsTold(t *testing.T) {
	request := frame(`{"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[{}]}}`)
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Hang: true, NoReply: true, Raw: request, Repeat: 5000})}, func(c *Config) {
		c.Configuration = raw(`"` + strings.Repeat("x", 100_000) + `"`)
	})
	_, err := h.ask("a.go", seam.OpHover)
	require.True(t, Lost(err), "%v", err)
	require.NotContains(t, err.Error(), "exited")
}

// A server that does not settle what was given up is not asked to shut down.
func TestBusyServerIsNotAsked(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{NoReply: true})}, nil)
	<-h.server.Started()
	q := h.query("a.go", seam.OpHover)
	done := make(chan error, 1)
	go func() {
		_, err := h.server.Query(t.Context(), q)
		done <- err
	}()
	h.wait("textDocument/hover", 1)
	h.stop() // ShutdownTimeout is a minute
	require.Error(t, <-done)
	require.NotContains(t, h.methods(), "shutdown")
}
