package langserver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// Every kind of request that a server sends gets the answer of a client that only reads,
// with the id as it came, and the query in progress is not disturbed.
func TestServerRequests(t *testing.T) {
	cases := []struct {
		name, id, method, params string
		want                     string // result, or the code of an error
	}{
		{"A-117 configuration", `1`, "workspace/configuration", `{"items":[{"section":"a"},{}]}`, `[{"k":1},{"k":1}]`},
		{"A-117 configuration without items", `2`, "workspace/configuration", `{"items":[]}`, `[]`},
		{"A-118 progress", `"p"`, "window/workDoneProgress/create", `{"token":1}`, `null`},
		{"A-118 register", `"r"`, "client/registerCapability", `{"registrations":[{"id":"1","method":"x"}]}`, `null`},
		{"A-118 unregister", `7`, "client/unregisterCapability", `{"unregisterations":[{"id":"1","method":"x"}]}`, `null`},
		{"A-119 edits are never applied", `8`, "workspace/applyEdit", `{"edit":{}}`, `{"applied":false,"failureReason":"navseam only reads"}`},
		{"A-120 workspace folders", `9`, "workspace/workspaceFolders", `null`, `[{"uri":"$root","name":"workspace"}]`},
		{"A-120 unknown", `10`, "fake/unknown", `{}`, `-32601`},
		{"A-121 text id", `"a b"`, "window/showMessageRequest", `{"message":"?"}`, `null`},
		{"A-121 negative id", `-4`, "window/showDocument", `{"uri":"x"}`, `{"success":false}`},
		{"refresh", `12`, "workspace/semanticTokens/refresh", `null`, `null`},
		{"refresh of diagnostics", `13`, "workspace/diagnostic/refresh", `null`, `null`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ask := fakeserver.Message{ID: raw(c.id), Method: c.method, Params: raw(c.params)}
			h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Ask: []fakeserver.Message{ask}})}, func(c *Config) {
				c.Configuration = raw(`{"k":1}`)
			})
			require.Equal(t, "fake", h.hover("a.go"))
			reply := h.wait("reply", 1)[0]
			require.Equal(t, c.id, string(reply.ID))
			if c.want == "-32601" {
				var failure struct{ Code int }
				require.NoError(t, json.Unmarshal(reply.Params, &failure))
				require.Equal(t, -32601, failure.Code)
				return
			}
			want := c.want
			if c.method == "workspace/workspaceFolders" {
				want = `[{"uri":"` + h.view.Root().URI() + `","name":"workspace"}]`
			}
			require.JSONEq(t, want, string(reply.Params))
		})
	}
}

// notifications of every kind disturb nothing.
func TestServerNotifications(t *testing.T) {
	notes := []fakeserver.Message{
		{Method: "textDocument/publishDiagnostics", Params: raw(`{"uri":"$uri","diagnostics":[]}`)},
		{Method: "window/logMessage", Params: raw(`{"type":1,"message":"x"}`)},
		{Method: "window/showMessage", Params: raw(`{"type":1,"message":"x"}`)},
		{Method: "$/progress", Params: raw(`{"token":1,"value":{"kind":"report"}}`)},
		{Method: "telemetry/event"},
		{Method: "fake/unknown", Params: raw(`[1]`)},
	}
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Notify: notes})}, nil)
	require.Equal(t, "fake", h.hover("a.go"))
	require.Equal(t, "fake", h.hover("a.go"))
	require.Zero(t, fakeserver.Count(h.events(), "reply"))
}

// What a server registers after the handshake counts as offered.
func TestDynamicRegistration(t *testing.T) {
	register := fakeserver.Message{ID: raw("1"), Method: "client/registerCapability", Params: raw(`{"registrations":[{"id":"h","method":"textDocument/hover"}]}`)}
	h := begin(t, fakeserver.Script{
		Capabilities: raw(`{"textDocumentSync":1}`),
		On:           on("initialized", fakeserver.Action{Ask: []fakeserver.Message{register}}),
	}, nil)
	h.wait("reply", 1)
	require.Equal(t, "fake", h.hover("a.go"))
}
