package fakeserver_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

func TestWellBehaved(t *testing.T) {
	p := run(t, fakeserver.Script{})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///w"}}`)
	require.JSONEq(t, `{"capabilities":{
		"textDocumentSync":{"openClose":true,"change":1},
		"definitionProvider":true,"referencesProvider":true,"implementationProvider":true,"hoverProvider":true
	}}`, p.result(1))
	at := func(line string) string {
		return `{"uri":"file:///w/a&\"b","range":{"start":{"line":` + line + `,"character":0},"end":{"line":` + line + `,"character":1}}}`
	}
	for id, c := range []struct{ method, want string }{
		{"textDocument/definition", at("0")},
		{"textDocument/references", `[` + at("0") + `,` + at("1") + `]`},
		{"textDocument/implementation", `[` + at("2") + `]`},
		{"textDocument/hover", `{"contents":{"kind":"markdown","value":"fake"}}`},
	} {
		p.ask(id, c.method, `file:///w/a&"b`)
		require.JSONEq(t, c.want, p.result(id), "%s", c.method)
	}
	p.ask(7, "textDocument/rename", "u")
	require.Contains(t, p.receive(), `"id":7,"error":{"code":-32601`)
	p.send(`{"jsonrpc":"2.0","id":"s","method":"shutdown"}`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"s","result":null}`, p.receive())
	p.send(`{"jsonrpc":"2.0","method":"exit"}`)
	require.Zero(t, p.ends())
	p.wait("violation", 0)
}

func TestEnds(t *testing.T) {
	exit := `{"jsonrpc":"2.0","method":"exit"}`
	cases := []struct {
		name   string
		script fakeserver.Script
		drive  func(p *peer)
		want   int
	}{
		{"exit without shutdown", fakeserver.Script{}, func(p *peer) { p.send(exit) }, 1},
		{"end of input", fakeserver.Script{}, func(p *peer) { p.in.Close() }, 0},
		{"messages before the end of input are handled", on("x", fakeserver.Action{DelayMS: 20, Exit: fakeserver.Exit(9)}), func(p *peer) {
			p.send(`{"method":"x"}`)
			p.in.Close()
		}, 9},
		{"scripted at start", on("start", fakeserver.Action{Exit: fakeserver.Exit(5)}), func(*peer) {}, 5},
		{"scripted at end of input", on("eof", fakeserver.Action{Exit: fakeserver.Exit(6)}), func(p *peer) { p.in.Close() }, 6},
		{"scripted instead of a reply", on("x", fakeserver.Action{NoReply: true, Exit: fakeserver.Exit(0)}), func(p *peer) {
			p.ask(1, "x", "")
		}, 0},
		{"exit ignored until the end of input", fakeserver.Script{IgnoreExit: true}, func(p *peer) {
			p.send(exit)
			p.ask(1, "shutdown", "")
			require.Equal(p.t, "null", p.result(1))
			p.in.Close()
		}, 0},
		{"log in a folder that is not there", fakeserver.Script{}, nil, 2},
		{"no such helper", fakeserver.Script{Helper: "x"}, func(p *peer) {
			words, err := io.ReadAll(p.stderr)
			require.NoError(p.t, err)
			require.Contains(p.t, string(words), `"x"`)
		}, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.drive == nil {
				c.script.Log = t.TempDir() + "/none/log"
				require.Equal(t, c.want, fakeserver.Run(t.Context(), c.script, nil, nil, discard{}))
				return
			}
			p := run(t, c.script)
			c.drive(p)
			require.Equal(t, c.want, p.ends())
		})
	}
}

type discard struct{ io.Writer }

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

func TestActionsInTurn(t *testing.T) {
	p := run(t, on(
		"textDocument/hover",
		fakeserver.Action{Result: fakeserver.Raw(`1`)},
		fakeserver.Action{},
		fakeserver.Action{Result: fakeserver.Raw(`null`)},
	))
	for id, want := range []string{`1`, `{"contents":{"kind":"markdown","value":"fake"}}`, `null`, `null`} {
		p.ask(id, "textDocument/hover", "u")
		require.Equal(t, want, p.result(id))
	}
}

func TestUnknownRequests(t *testing.T) {
	script := on("", fakeserver.Action{Result: fakeserver.Raw(`"any"`)})
	p := run(t, script)
	p.ask(1, "x", "")
	require.Equal(t, `"any"`, p.result(1))
	p.send(`{"method":"x"}`) // a notification is no request
	p.ask(2, "shutdown", "")
	require.Equal(t, `null`, p.result(2))
}

func TestRequestsInHandAreSettledInOrder(t *testing.T) {
	p := run(t, on("slow", fakeserver.Action{DelayMS: 50, Result: fakeserver.Raw(`0`)}))
	p.ask(1, "slow", "")
	p.ask(2, "shutdown", "")
	require.Equal(t, `0`, p.result(1))
	require.Equal(t, `null`, p.result(2))
}

func TestViolations(t *testing.T) {
	open := `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":3,"text":"x"}}}`
	change := func(version, rest string) string {
		return `{"method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":` + version + `},"contentChanges":[` + rest + `]}}`
	}
	cases := []struct {
		name, says string
		wire       []string
	}{
		{"opened twice", "is open", []string{frame(open), frame(open)}},
		{"changed when closed", "not open", []string{frame(change("1", `{"text":""}`))}},
		{"closed twice", "not open", []string{frame(`{"method":"textDocument/didClose","params":{"textDocument":{"uri":"u"}}}`)}},
		{"version stands still", "version", []string{frame(open), frame(change("3", `{"text":""}`))}},
		{"a part", "full text", []string{frame(open), frame(change("4", `{"range":{},"text":""}`))}},
		{"no change", "full text", []string{frame(open), frame(change("4", ``))}},
		{"no CR", "CR", []string{"Content-Length: 2\n\n{}"}},
		{"no header", "no header", []string{"hello\r\n"}},
		{"no length", "no length", []string{"Content-Length: -1\r\n\r\n"}},
		{"no Content-Length", "no Content-Length", []string{"A: b\r\n\r\n"}},
		{"no JSON", "no message", []string{frame(`{`)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := run(t, fakeserver.Script{})
			p.write(strings.Join(c.wire, ""))
			require.Contains(t, string(p.wait("violation", 1)[0].Params), c.says)
		})
	}
}
