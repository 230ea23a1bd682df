package fakeserver_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

func TestReplies(t *testing.T) {
	many := `[{"uri":"u","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}},` +
		`{"uri":"u","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}}]`
	length := "Content-Length: 12\r\n\r\n"
	cases := []struct {
		name   string
		action fakeserver.Action
		want   string // the bytes
	}{
		{"error", fakeserver.Action{Error: fakeserver.Raw(`{"code":-32801}`)}, frame(`{"jsonrpc":"2.0","id":4,"error":{"code":-32801}}`)},
		{"whole body", fakeserver.Action{Reply: `{"id":"$id","result":"$uri"}`}, frame(`{"id":"4","result":"u"}`)},
		{"frames before the reply", fakeserver.Action{Frames: []string{`{"id":99}`, `7`}, Reply: `{"id":$id}`}, frame(`{"id":99}`) + frame(`7`) + frame(`{"id":4}`)},
		{"locations", fakeserver.Action{Locations: 2}, frame(`{"jsonrpc":"2.0","id":4,"result":` + many + `}`)},
		{"padding after the id", fakeserver.Action{Pad: 3, Result: fakeserver.Raw(`0`)}, frame(`{"jsonrpc":"2.0","id":4,"pad":"xxx","result":0}`)},
		{"padding before the id", fakeserver.Action{Pad: 3, IDLast: true, Result: fakeserver.Raw(`0`)}, frame(`{"jsonrpc":"2.0","pad":"xxx","result":0,"id":4}`)},
		{"bytes that are no UTF-8", fakeserver.Action{Result: fakeserver.Raw("\"\xff\"")}, frame("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"\xff\"}")},
		{"the same by name", fakeserver.Action{Result: fakeserver.Raw(`"$xff"`)}, frame("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"\xff\"}")},
		{"in pieces", fakeserver.Action{ChunkBytes: 5, Result: fakeserver.Raw(`"long enough"`)}, frame(`{"jsonrpc":"2.0","id":4,"result":"long enough"}`)},
		{"noise", fakeserver.Action{Raw: "hm $id\n", Bytes: []byte{0, 255}, Repeat: 2, NoReply: true}, "hm 4\nhm 4\n\x00\xff\x00\xff"},
		{"half a frame", fakeserver.Action{Raw: length + `{"id"`, NoReply: true}, length + `{"id"`},
		{"another header", fakeserver.Action{Header: "content-LENGTH:$length\r\nX: y\r\n\r\n", Reply: `{}`}, "content-LENGTH:2\r\nX: y\r\n\r\n{}"},
		{"a wrong header", fakeserver.Action{Header: "Content-Length: 1\n\n", Reply: `{}`}, "Content-Length: 1\n\n{}"},
		{"an oversized notification", fakeserver.Action{Notify: []fakeserver.Message{{Method: "n", Params: fakeserver.Raw(`["$root"]`), Pad: 2}}, NoReply: true}, frame(`{"jsonrpc":"2.0","method":"n","params":["r"],"pad":"xx"}`)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.action.Exit = fakeserver.Exit(0)
			p := run(t, on("x", c.action))
			p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"r"}}`)
			p.receive()
			p.ask(4, "x", "u")
			got, err := io.ReadAll(p.out)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// Ids go out as they are written, and the answers are logged with them.
func TestAsk(t *testing.T) {
	ask := []fakeserver.Message{
		{ID: fakeserver.Raw(`"q"`), Method: "workspace/configuration", Params: fakeserver.Raw(`{"items":[{"scopeUri":"$uri"}]}`)},
		{ID: fakeserver.Raw(`-1`), Method: "workspace/applyEdit"},
	}
	p := run(t, on("x", fakeserver.Action{Ask: ask, Result: fakeserver.Raw(`1`)}, fakeserver.Action{Ask: ask, Await: true, Result: fakeserver.Raw(`2`)}))
	receiveBoth := func() {
		require.JSONEq(t, `{"jsonrpc":"2.0","id":"q","method":"workspace/configuration","params":{"items":[{"scopeUri":"u"}]}}`, p.receive())
		require.JSONEq(t, `{"jsonrpc":"2.0","id":-1,"method":"workspace/applyEdit"}`, p.receive())
	}
	p.ask(1, "x", "u")
	receiveBoth()
	require.Equal(t, `1`, p.result(1))

	p.ask(2, "x", "u")
	receiveBoth()
	p.send(`{"id":-1,"error":{"code":-32601}}`)
	require.Zero(t, p.out.Buffered())
	p.send(`{"id":"q","result":[5]}`)
	require.Equal(t, `2`, p.result(2))
	replies := p.wait("reply", 2)
	require.Equal(t, `-1{"code":-32601}`, string(replies[0].ID)+string(replies[0].Params))
	require.True(t, replies[0].Failed)
	require.Equal(t, `"q"[5]`, string(replies[1].ID)+string(replies[1].Params))
	require.False(t, replies[1].Failed)
}

// A client that never answers does not keep a server that waits for it.
func TestAwaitEndsWithTheInput(t *testing.T) {
	p := run(t, on("x", fakeserver.Action{Ask: []fakeserver.Message{{ID: fakeserver.Raw(`1`), Method: "y"}}, Await: true}))
	p.send(`{"method":"x"}`)
	p.receive()
	p.in.Close()
	require.Zero(t, p.ends())
}

// Progress that comes later does not hold up the questions meanwhile.
func TestLaterMessages(t *testing.T) {
	p := run(t, on("initialized", fakeserver.Action{Notify: []fakeserver.Message{
		{Method: "later", DelayMS: 100},
		{Method: "now"},
	}}))
	p.send(`{"method":"initialized"}`)
	require.Contains(t, p.receive(), "now")
	p.ask(1, "shutdown", "")
	require.Equal(t, `null`, p.result(1))
	require.Contains(t, p.receive(), "later")
}

func TestCancel(t *testing.T) {
	cancel := `{"method":"$/cancelRequest","params":{"id":1}}`
	p := run(t, on("x", fakeserver.Action{DelayMS: int(patient.Milliseconds())}))
	p.ask(1, "x", "")
	p.send(cancel)
	p.send(cancel)
	p.send(`{"method":"$/cancelRequest","params":{"id":"unknown"}}`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}`, p.receive())
	p.wait("$/cancelRequest", 3)

	script := on("x", fakeserver.Action{DelayMS: 20, Result: fakeserver.Raw(`1`)})
	script.IgnoreCancel = true
	p = run(t, script)
	p.ask(1, "x", "")
	p.send(cancel)
	require.Equal(t, `1`, p.result(1))
}

func TestDocuments(t *testing.T) {
	script := on("textDocument/hover", fakeserver.Action{Result: fakeserver.Raw(`"$version $text"`)})
	script.RequireOpen = true
	p := run(t, script)
	shown := func(id int) string {
		p.ask(id, "textDocument/hover", "u")
		var text string
		require.NoError(t, json.Unmarshal([]byte(p.result(id)), &text))
		return text
	}
	p.ask(1, "textDocument/hover", "u")
	require.Contains(t, p.receive(), "not open")
	p.open("u", "a\"\n$uri😀", 7)
	p.open("v", "other", 1)
	require.Equal(t, "7 a\"\n$uri😀", shown(2))
	p.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":9},"contentChanges":[{"text":"b"}]}}`)
	require.Equal(t, "9 b", shown(3))
	p.send(`{"method":"textDocument/didClose","params":{"textDocument":{"uri":"u"}}}`)
	p.ask(4, "textDocument/hover", "u")
	require.Contains(t, p.receive(), "not open")
	p.wait("violation", 0)
}

func TestStderr(t *testing.T) {
	p := run(t, on("start", fakeserver.Action{Stderr: "0123456789", Repeat: 1000, Exit: fakeserver.Exit(0)}))
	words, err := io.ReadAll(p.stderr)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("0123456789", 1000), string(words))
}

// The reply is out before the pause, and the pause is over before the end.
func TestLinger(t *testing.T) {
	p := run(t, on("x", fakeserver.Action{Result: fakeserver.Raw(`1`), LingerMS: 50, Exit: fakeserver.Exit(7)}))
	p.ask(1, "x", "")
	require.Equal(t, `1`, p.result(1))
	require.Empty(t, p.status)
	require.Equal(t, 7, p.ends())
}

// Each write is a piece.
func TestChunks(t *testing.T) {
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- fakeserver.Run(t.Context(), on("start", fakeserver.Action{ChunkBytes: 3, Raw: "1234567", Exit: fakeserver.Exit(0)}), stdin, stdout, discard{})
		stdout.Close()
	}()
	var pieces []string
	for b := make([]byte, 100); ; {
		n, err := out.Read(b)
		if err != nil {
			break
		}
		pieces = append(pieces, string(b[:n]))
	}
	require.Equal(t, []string{"123", "456", "7"}, pieces)
	require.Zero(t, <-ended)
	in.Close()
}
