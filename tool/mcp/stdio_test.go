package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// The text is for models; programs find the same under _meta. Nothing is structured
// content, for which clients drop the text.
func TestAnswer(t *testing.T) {
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	c.send(call(`7`))
	line := c.read()
	var got struct {
		ID     int
		Result map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(line), &got))
	require.Equal(t, 7, got.ID)
	require.Contains(t, string(got.Result["content"]), "it is known")
	require.Contains(t, string(got.Result["_meta"]), metaKey)
	require.NotContains(t, got.Result, "structuredContent")
	require.NotContains(t, got.Result, "isError")
}

// there is one tool, it changes nothing, and its schema is what every client can read.
func TestToolAsListed(t *testing.T) {
	session := client(t, serverOf(t, knows), newClient(nil), "2025-06-18")
	require.Equal(t, tool.Instructions, session.InitializeResult().Instructions)
	require.Equal(t, "1.2.3", session.InitializeResult().ServerInfo.Version)
	listed, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, listed.Tools, 1)
	only := listed.Tools[0]
	require.Equal(t, "lsp", only.Name)
	require.True(t, only.Annotations.ReadOnlyHint)
	require.Nil(t, only.OutputSchema)
	require.Less(t, len(only.Description), 2<<10)
	schema, err := json.Marshal(only.InputSchema)
	require.NoError(t, err)
	require.Less(t, len(schema), 1536)
	requirePlain(t, only.InputSchema)
}

// requirePlain refuses what some client is known to stumble over.
func requirePlain(t *testing.T, schema any) {
	t.Helper()
	switch schema := schema.(type) {
	case map[string]any:
		for _, key := range []string{"oneOf", "anyOf", "allOf", "not", "$ref", "$schema", "nullable", "const", "if"} {
			require.NotContains(t, schema, key)
		}
		if kind, ok := schema["type"]; ok && schema["properties"] == nil {
			require.Contains(t, []any{"string", "integer"}, kind)
		}
		for _, part := range schema {
			requirePlain(t, part)
		}
	case []any:
		for _, part := range schema {
			require.NotNil(t, part)
			requirePlain(t, part)
		}
	}
}

// The handshake does not wait for the host, the first call does; and a host that cannot
// open is what the call is told.
func TestHandshakeDoesNotWait(t *testing.T) {
	open := make(chan struct{})
	s := serverOf(t, knows, func(o *Options) {
		o.Tool = func(ctx context.Context) (*tool.Tool, error) {
			<-open
			return nil, seam.Errorf(seam.CodeInvalidConfig, "config.yaml:3:1: nonsense")
		}
	})
	c := rawSession(t, s, nil)
	c.begin(`{}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	require.InEpsilon(t, 1, c.receive().ID, 0)
	c.send(call(`2`))
	c.ping()
	close(open)
	failed := c.receive().Result
	require.Equal(t, seam.CodeInvalidConfig, codeOf(t, failed))
	require.Contains(t, textOf(t, failed), "config.yaml:3:1: nonsense")
}

// What is no message is answered as JSON-RPC says, and ends nothing.
func TestBadLines(t *testing.T) {
	const parse, invalid, method, params = -32700, -32600, -32601, -32602
	tests := map[string]struct {
		line string
		code int
		id   any
	}{
		"no JSON":                {line: "hello", code: parse},
		"half a message":         {line: `{"jsonrpc":"2.0","id":1,`, code: parse},
		"two in a line":          {line: `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, code: parse},
		"binary":                 {line: "\x00\x01\xff\xfe\x7fELF", code: parse},
		"not UTF-8":              {line: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffng\"}", code: parse},
		"a header of LSP":        {line: "Content-Length: 10\r", code: parse},
		"deeper than anybody":    {line: strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000), code: parse},
		"a number":               {line: `5`, code: invalid},
		"null":                   {line: `null`, code: invalid},
		"an empty object":        {line: `{}`, code: invalid},
		"an empty batch":         {line: `[]`, code: invalid},
		"another version":        {line: `{"jsonrpc":"1.0","id":3,"method":"ping"}`, code: invalid, id: 3.0},
		"a method that is none":  {line: `{"jsonrpc":"2.0","id":"x","method":5}`, code: invalid, id: "x"},
		"the id null":            {line: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, code: invalid},
		"an id with a fraction":  {line: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, code: invalid},
		"an id beyond precision": {line: `{"jsonrpc":"2.0","id":9007199254740993000,"method":"ping"}`, code: invalid},
		"an id of another kind":  {line: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, code: invalid},
		"an unknown method":      {line: `{"jsonrpc":"2.0","id":4,"method":"textDocument/hover"}`, code: method, id: 4.0},
		"params of a wrong kind": {line: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[1]}`, code: params, id: 5.0},
		"no params":              {line: `{"jsonrpc":"2.0","id":6,"method":"tools/call"}`, code: invalid, id: 6.0},
		"another tool":           {line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"rm"}}`, code: params, id: 7.0},
		"initialized again":      {line: `{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, id: 8.0},
	}
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c.t = t
			c.send(test.line)
			got := c.receive()
			require.NotNil(t, got.Error)
			require.Equal(t, test.code, got.Error.Code, got.Error.Message)
			require.Equal(t, test.id, got.ID)
			c.ping()
		})
	}
	c.t = t
}

// What needs no answer gets none.
func TestSilence(t *testing.T) {
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	c.send("", "  \t", "\r",
		`{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`[{"jsonrpc":"2.0","method":"notifications/unknown"}]`)
	c.ping()
}

// A line that does not end is skipped without being kept.
func TestHugeLine(t *testing.T) {
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxMessageBytes) + `"}}`)
	got := c.receive()
	require.NotNil(t, got.Error)
	require.Equal(t, -32600, got.Error.Code)
	c.ping()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lsp","arguments":{"operation":"` + strings.Repeat("x", maxMessageBytes/2) + `"}}}`)
	require.Equal(t, seam.CodeInvalidArgs, codeOf(t, c.receive().Result))
}

// Older versions of the protocol have batches.
func TestBatch(t *testing.T) {
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	c.send(`[` + call(`1`) + `,{"jsonrpc":"2.0","method":"notifications/unknown"},5,` + call(`"two"`) + `,` + call(`1`) + `]`)
	var got []reply
	require.NoError(t, json.Unmarshal([]byte(c.read()), &got))
	require.Len(t, got, 4)
	ids := map[any]int{}
	for _, one := range got {
		ids[one.ID]++
	}
	require.Equal(t, map[any]int{1.0: 1, "two": 1, nil: 2}, ids)
	c.ping()
}

// The arguments come through as they were sent, and the tool teaches.
func TestArgumentsAreJudgedByTheTool(t *testing.T) {
	session := client(t, serverOf(t, knows), newClient(nil), "2025-06-18")
	tests := map[string]any{
		"none":                 nil,
		"a string":             "hover",
		"a list":               []int{1},
		"an empty object":      map[string]any{},
		"no operation":         map[string]any{"file_path": "a.fake", "line": 1, "character": 1},
		"an unknown operation": map[string]any{"operation": "rename", "file_path": "a.fake", "line": 1, "character": 1},
		"a wrong type":         map[string]any{"operation": 5, "file_path": "a.fake", "line": 1, "character": 1},
		"no file":              map[string]any{"operation": "hover", "line": 1, "character": 1},
		"a list of files":      map[string]any{"operation": "hover", "file_path": []string{"a.fake"}, "line": 1, "character": 1},
		"line zero":            map[string]any{"operation": "hover", "file_path": "a.fake", "line": 0, "character": 1},
		"a line that is text":  map[string]any{"operation": "hover", "file_path": "a.fake", "line": "one", "character": 1},
		"a line with fraction": map[string]any{"operation": "hover", "file_path": "a.fake", "line": 1.5, "character": 1},
		"a huge line":          map[string]any{"operation": "hover", "file_path": "a.fake", "line": 1e300, "character": 1},
		"a huge operation":     map[string]any{"operation": strings.Repeat("x", 1<<20), "file_path": "a.fake", "line": 1, "character": 1},
	}
	for name, arguments := range tests {
		t.Run(name, func(t *testing.T) {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "lsp", Arguments: arguments})
			require.NoError(t, err)
			require.Equal(t, seam.CodeInvalidArgs, codeOf(t, result))
			require.Less(t, len(textOf(t, result)), 4<<10)
		})
	}
}

// A client may ask as much at once as it likes.
func TestManyAtOnce(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	const many = 500
	for i := range many {
		c.send(call(strconv.Itoa(i)))
	}
	for range many {
		<-h.asked
	}
	close(h.release)
	answered := map[any]bool{}
	for range many {
		got := c.receive()
		require.False(t, got.Result.IsError)
		answered[got.ID] = true
	}
	require.Len(t, answered, many)
}

func TestIDInUse(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	c.send(call(`1`))
	<-h.asked
	c.send(call(`1`))
	got := c.receive()
	require.Equal(t, -32600, got.Error.Code)
	require.Nil(t, got.ID)
	close(h.release)
	require.False(t, c.receive().Result.IsError)
	c.send(call(`1`))
	require.False(t, c.receive().Result.IsError)
}

// Who sends all and closes gets all answers before the end.
func TestEndOfInputDrains(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	const calls = 3
	for i := range calls {
		c.send(call(strconv.Itoa(i)))
	}
	for range calls {
		<-h.asked
	}
	require.NoError(t, c.in.Close())
	close(h.release)
	for range calls {
		require.False(t, c.receive().Result.IsError)
	}
	require.NoError(t, <-c.over)
}

// A last line without its line break counts.
func TestLastLineWithoutBreak(t *testing.T) {
	c := rawSession(t, serverOf(t, knows), nil)
	c.begin(`{}`)
	_, err := c.in.Write([]byte(call(`1`)))
	require.NoError(t, err)
	require.NoError(t, c.in.Close())
	require.False(t, c.receive().Result.IsError)
	require.NoError(t, <-c.over)
}

// A client that is gone waits for nothing, and neither does its call.
func TestVanishedClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		var gone atomic.Bool
		c := rawSession(t, serverOf(t, h.query), gone.Load)
		c.begin(`{}`)
		c.send(call(`1`))
		<-h.asked
		require.NoError(t, c.in.Close())
		time.Sleep(10 * goneInterval)
		require.Empty(t, h.ended, "it may still listen")
		gone.Store(true)
		require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
		require.NoError(t, <-c.over)
	})
}

// Where that cannot be known, the first write finds out.
func TestBrokenOutput(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	c.send(call(`1`))
	<-h.asked
	require.NoError(t, c.hear.Close())
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
	require.Error(t, <-c.over)
}

// what the client cancels is cancelled where the answer is made. The protocol wants no
// answer then.
func TestCancel(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	c.send(call(`1`), call(`2`))
	<-h.asked
	<-h.asked
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
	close(h.release)
	require.InEpsilon(t, 2, c.receive().ID, 0, "the one that was cancelled is not answered")
	c.ping()
}

// At a signal calls that are under way answer that they were cancelled.
func TestEnd(t *testing.T) {
	h := newHeld()
	c := rawSession(t, serverOf(t, h.query), nil)
	c.begin(`{}`)
	c.send(call(`1`))
	<-h.asked
	c.end()
	require.Equal(t, seam.CodeCancelled, codeOf(t, c.receive().Result))
	require.NoError(t, <-c.over)
}

// A client that never reads holds nobody up.
func TestEndOfClientThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rawSession(t, serverOf(t, knows), nil)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		synctest.Wait()
		began := time.Now()
		c.end()
		require.NoError(t, <-c.over)
		require.LessOrEqual(t, time.Since(began), endLimit)
	})
}

// A bug is the answer to one call.
func TestPanic(t *testing.T) {
	fail := true
	s := serverOf(t, knows, func(o *Options) {
		inner := o.Tool
		o.Tool = func(ctx context.Context) (*tool.Tool, error) {
			if fail {
				panic("oh no")
			}
			return inner(ctx)
		}
	})
	c := rawSession(t, s, nil)
	c.begin(`{}`)
	c.send(call(`1`))
	failed := c.receive().Result
	require.Equal(t, seam.CodeInternal, codeOf(t, failed))
	require.Contains(t, textOf(t, failed), "oh no")
	fail = false
	c.send(call(`2`))
	require.False(t, c.receive().Result.IsError)
}

// Who gives a token for it is told what is being waited for: each news once, and none after
// the result.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		var now atomic.Value
		now.Store("")
		s := serverOf(t, h.query, func(o *Options) { o.Activity = func([]string) string { return now.Load().(string) } })
		c := rawSession(t, s, nil)
		c.begin(`{}`)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"p"},"name":"lsp","arguments":` + question + `}}`)
		<-h.asked
		time.Sleep(newsInterval / 2) // so that nothing happens at the moment of a tick
		for i, text := range []string{"starting gopls…", "gopls: loading packages…"} {
			now.Store(text)
			time.Sleep(4 * newsInterval)
			news := c.receive()
			require.Equal(t, "notifications/progress", news.Method)
			require.Equal(t, map[string]any{"progressToken": "p", "message": text, "progress": float64(i + 1)}, news.Params)
			now.Store("")
			time.Sleep(4 * newsInterval)
		}
		now.Store("nobody hears that")
		close(h.release)
		require.False(t, c.receive().Result.IsError)
		time.Sleep(4 * newsInterval)
		c.ping()
	})
}

// Without a token nobody is told.
func TestNoProgressUnasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		c := rawSession(t, serverOf(t, h.query, func(o *Options) { o.Activity = func([]string) string { return fmt.Sprint(time.Now()) } }), nil)
		c.begin(`{}`)
		c.send(call(`1`))
		<-h.asked
		time.Sleep(time.Second)
		close(h.release)
		require.InEpsilon(t, 1, c.receive().ID, 0)
	})
}

// A bug in the news is not one of the call.
func TestPanicInNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		c := rawSession(t, serverOf(t, h.query, func(o *Options) { o.Activity = func([]string) string { panic("oh no") } }), nil)
		c.begin(`{}`)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"lsp","arguments":` + question + `}}`)
		<-h.asked
		time.Sleep(4 * newsInterval)
		close(h.release)
		require.False(t, c.receive().Result.IsError)
	})
}

// There is an end to what one client may have open; more is read when something is answered.
func TestMoreThanCanBeOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		release := make(chan struct{})
		c := rawSession(t, serverOf(t, func(ctx context.Context, r seam.Request) (seam.Result, error) {
			asked.Add(1)
			<-release
			return knows(ctx, r)
		}), nil)
		c.begin(`{}`)
		const more = 10
		go func() {
			for i := range maxOpen + more {
				_, _ = c.in.Write([]byte(call(strconv.Itoa(i)) + "\n"))
			}
		}()
		synctest.Wait()
		require.EqualValues(t, maxOpen, asked.Load())
		close(release)
		for range maxOpen + more {
			require.False(t, c.receive().Result.IsError)
		}
		require.EqualValues(t, maxOpen+more, asked.Load())
	})
}
