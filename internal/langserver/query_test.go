package langserver

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// what is not offered is refused before a document
// is opened, in that order, and the server stays.
func TestGating(t *testing.T) {
	cases := []struct{ name, capabilities, says string }{
		{"A-128 operation", `{"textDocumentSync":1,"hoverProvider":false}`, "does not support hover"},
		{"A-083 operation before sync", `{"textDocumentSync":0}`, "does not support hover"},
		{"A-130 sync", `{"hoverProvider":true}`, "does not take documents"},
		{"A-138 answers closed files only", `{"hoverProvider":true,"textDocumentSync":{"change":2}}`, "does not take documents"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{Capabilities: raw(c.capabilities)}, nil)
			_, err := h.ask("a.go", seam.OpHover)
			require.Equal(t, seam.CodeUnsupportedOperation, seam.CodeOf(err))
			require.ErrorContains(t, err, c.says)
			require.True(t, h.server.Alive())
			require.Zero(t, fakeserver.Count(h.events(), "textDocument/didOpen"))
		})
	}
}

func TestAnswers(t *testing.T) {
	place := `{"uri":"$uri","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}`
	cases := []struct {
		name   string
		action fakeserver.Action
		op     seam.Operation
		want   string // of the result, with $root; or the code of the error
		says   string
	}{
		{"A-141 null locations", fakeserver.Action{Result: raw(`null`)}, seam.OpFindReferences, `{"kind":"locations","locations":[],"resolvedWorkspaceUri":"$root","completeness":"unknown"}`, ""},
		{"A-141 missing result", fakeserver.Action{Reply: `{"jsonrpc":"2.0","id":$id}`}, seam.OpFindReferences, "LSP_MALFORMED_RESPONSE", "result"},
		{"A-146 partly usable is incomplete", fakeserver.Action{Result: raw(`[` + place + `,7]`)}, seam.OpGoToDefinition, `{"kind":"locations","locations":[` + strings.ReplaceAll(place, "$uri", "$root/a.go") + `],"resolvedWorkspaceUri":"$root","completeness":"incomplete"}`, ""},
		{"A-147 unusable", fakeserver.Action{Result: raw(`{}`)}, seam.OpGoToDefinition, "LSP_MALFORMED_RESPONSE", "textDocument/definition"},
		{"A-148 null hover", fakeserver.Action{Result: raw(`null`)}, seam.OpHover, `{"kind":"hover","hover":null,"completeness":"unknown"}`, ""},
		{"A-148 missing hover", fakeserver.Action{Reply: `{"id":$id}`}, seam.OpHover, "LSP_MALFORMED_RESPONSE", ""},
		{"A-153 unusable hover", fakeserver.Action{Result: raw(`{"contents":1}`)}, seam.OpHover, "LSP_MALFORMED_RESPONSE", "hover"},
		{"A-113 error keeps code and data", fakeserver.Action{Error: raw(`{"code":-32001,"message":"no such thing","data":{"x":1}}`)}, seam.OpHover, "LSP_PROVIDER_FAILED", "no such thing"},
		{"A-162 the server's own cancel is an error like any other", fakeserver.Action{Error: raw(`{"code":-32800,"message":"cancelled"}`)}, seam.OpHover, "LSP_PROVIDER_FAILED", "cancelled"},
		{"A-114 null error is none", fakeserver.Action{Reply: `{"id":$id,"error":null,"result":null}`}, seam.OpHover, `{"kind":"hover","hover":null,"completeness":"unknown"}`, ""},
		{"A-112 text id", fakeserver.Action{Reply: `{"id":"$id","result":null}`}, seam.OpHover, `{"kind":"hover","hover":null,"completeness":"unknown"}`, ""},
		{"A-112 wrong ids before the right one", fakeserver.Action{Raw: frame(`{"id":999,"result":1}`) + frame(`{"id":null,"result":1}`), Result: raw(`null`)}, seam.OpHover, `{"kind":"hover","hover":null,"completeness":"unknown"}`, ""},
		{"A-101 stray lines before it", fakeserver.Action{Raw: "debug: hello\nmore\r\n", Result: raw(`null`)}, seam.OpHover, `{"kind":"hover","hover":null,"completeness":"unknown"}`, ""},
		{"A-105 too large", fakeserver.Action{Pad: 2 << 20, IDLast: true}, seam.OpHover, "LSP_MALFORMED_RESPONSE", "1048576"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: on(operationMethods[c.op], c.action, fakeserver.Action{})}, nil)
			result, err := h.ask("a.go", c.op)
			if strings.HasPrefix(c.want, "LSP_") {
				require.Equal(t, c.want, string(seam.CodeOf(err)), "%v", err)
				require.ErrorContains(t, err, c.says)
			} else {
				require.NoError(t, err)
				got, err := result.MarshalJSON()
				require.NoError(t, err)
				require.JSONEq(t, strings.ReplaceAll(c.want, "$root", h.view.Root().URI()), string(got))
			}
			_, err = h.ask("a.go", seam.OpHover) // the connection has not suffered
			require.NoError(t, err)
		})
	}
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// A server's own error is kept whole, for those who want to look.
func TestServerErrorIsKept(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Error: raw(`{"code":-32001,"message":"no","data":[1]}`)})}, nil)
	_, err := h.ask("a.go", seam.OpHover)
	var server *seam.ServerError
	require.ErrorAs(t, err, &server)
	require.Equal(t, seam.ServerError{Code: -32001, Message: "no", Data: raw(`[1]`)}, *server)
}

// a death during the query tells the status and the last words, is
// recognised as such, and is over when the query fails.
func TestDeathDuringQuery(t *testing.T) {
	cases := []struct {
		name   string
		action fakeserver.Action
		says   string
	}{
		{"A-095 exit", fakeserver.Action{Stderr: "panic: x\n", Exit: fakeserver.Exit(7), NoReply: true}, "exit status 7\npanic: x"},
		{"A-108 bad framing", fakeserver.Action{Raw: "Content-Length: -1\r\n\r\n", Hang: true, NoReply: true}, "protocol"},
		{"A-107 bad JSON", fakeserver.Action{Raw: frame(`{]`), Hang: true, NoReply: true}, "protocol"},
		{"A-092 end of its output", fakeserver.Action{CloseOut: true, NoReply: true}, "language server exited"},
		{"a partial frame", fakeserver.Action{Raw: "Content-Length: 100\r\n\r\n{", Exit: fakeserver.Exit(1), NoReply: true}, "language server exited"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: on("textDocument/hover", c.action)}, nil)
			_, err := h.ask("a.go", seam.OpHover)
			require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.True(t, Lost(err))
			require.True(t, seam.AsError(err).Retryable)
			select {
			case <-h.server.Done():
			default:
				require.Fail(t, "the server is not gone")
			}
			require.True(t, h.server.Crashed())
			require.False(t, h.server.Alive())
			_, err = h.server.Query(t.Context(), h.query("a.go", seam.OpHover)) // at once
			require.True(t, Lost(err))
		})
	}
}

// a caller that gives up has its request cancelled with its id; the server
// settles, stays, and is suspect for that operation until it answers well.
func TestCancel(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 600_000}, fakeserver.Action{})}, nil)
	<-h.server.Started()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		h.wait("textDocument/references", 1)
		cancel()
	}()
	_, err := h.server.Query(ctx, h.query("a.go", seam.OpFindReferences))
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)
	asked := h.wait("textDocument/references", 1)[0]
	require.JSONEq(t, `{"id":`+string(asked.ID)+`}`, string(h.wait("$/cancelRequest", 1)[0].Params))
	require.True(t, h.server.Suspect(seam.OpFindReferences))
	require.False(t, h.server.Suspect(seam.OpHover))

	_, err = h.ask("a.go", seam.OpFindReferences)
	require.NoError(t, err)
	h.server.Trust(seam.OpFindReferences)
	require.False(t, h.server.Suspect(seam.OpFindReferences))
}

// A server that must not be told to cancel is left to finish.
func TestCancelRequestsOff(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 500})}, func(c *Config) { c.CancelRequests = false })
	<-h.server.Started()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := h.server.Query(ctx, h.query("a.go", seam.OpHover))
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, "fake", h.hover("a.go")) // its reply came before: nothing is left in the way
	require.Zero(t, fakeserver.Count(h.events(), "$/cancelRequest"))
}

// an ignored cancel holds the query until the owner stops the server.
func TestIgnoredCancel(t *testing.T) {
	h := begin(t, fakeserver.Script{IgnoreCancel: true, On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) { c.ShutdownTimeout = 100 * time.Millisecond })
	<-h.server.Started()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	go func() {
		h.wait("$/cancelRequest", 1)
		h.server.Stop()
	}()
	_, err := h.server.Query(ctx, h.query("a.go", seam.OpHover))
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	<-h.server.Done()
	require.False(t, h.server.Crashed())
}

// waiting for the ready signal and reading documents end with the caller, too.
func TestCancelBeforeRequest(t *testing.T) {
	h := begin(t, fakeserver.Script{}, func(c *Config) { c.ReadyWhen = ReadyWhen{Status: "quiescent"} })
	<-h.server.Started()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := h.server.Query(ctx, h.query("a.go", seam.OpHover))
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.Zero(t, fakeserver.Count(h.events(), "textDocument/didOpen"))
	require.True(t, h.server.Alive())
}
