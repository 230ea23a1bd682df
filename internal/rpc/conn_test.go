package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOutgoing(t *testing.T) {
	p := connect(t, Options{})

	// peer.listen takes only header and body in one write.
	// ids are integers from 1.
	first, err := p.conn.Call("initialize", map[string]any{"text": "é"})
	require.NoError(t, err)
	require.Equal(t, uint64(1), first.ID())
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"text":"é"}}`, p.hear())

	second, err := p.conn.Call("shutdown", nil)
	require.NoError(t, err)
	require.Equal(t, uint64(2), second.ID())
	require.JSONEq(t, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, p.hear(), "no params member")

	require.NoError(t, p.conn.Notify("exit", nil))
	require.Equal(t, `{"jsonrpc":"2.0","method":"exit"}`, p.hear())
	require.NoError(t, p.conn.Notify("exit", json.RawMessage(nil)))
	require.Equal(t, `{"jsonrpc":"2.0","method":"exit"}`, p.hear())
	require.NoError(t, p.conn.Notify("text", []string{"<a> & b"}))
	require.Equal(t, `{"jsonrpc":"2.0","method":"text","params":["<a> & b"]}`, p.hear(), "no HTML escapes")

	require.NoError(t, p.conn.Cancel(second))
	require.Equal(t, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`, p.hear())
	p.say(`{"id":2,"result":null}`)
	result, err := wait(t, second)
	require.NoError(t, err)
	require.Equal(t, "null", string(result))
	require.NoError(t, p.conn.Cancel(second), "settled: nothing is written")

	_, err = p.conn.Call("bad", func() {})
	require.ErrorContains(t, err, "parameters of bad")
	require.ErrorContains(t, p.conn.Notify("bad", make(chan int)), "parameters of bad")
	_, err = p.conn.Call("good", nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":3,"method":"good"}`, p.hear(), "what could not be encoded took no id")
}

func TestReplies(t *testing.T) {
	p := connect(t, Options{})
	calls := []*Call{p.call("a"), p.call("b"), p.call("c"), p.call("d"), p.call("e"), p.call("f")}
	p.say(
		`{"id":6,"result":"six"}`,
		`{"id":"5","result":"five"}`,
		`{"id":null,"result":"nobody"}`,
		`{"id":99,"result":"nobody"}`,
		`{"id":0,"result":"nobody"}`,
		`{"id":1.5,"result":"nobody"}`,
		`{"id":{},"result":"nobody"}`,
		`{"id":4,"error":{"code":-32801,"message":"changed","data":[1]}}`,
		`{"id":3}`,
		`{"id":2,"result":"`+strings.Repeat("x", 1000)+`"}`,
		"{\"id\":1,\"result\":\"\xff\"}",
	)
	result, err := wait(t, calls[5])
	require.NoError(t, err)
	require.Equal(t, `"six"`, string(result))
	again, err := wait(t, calls[5])
	require.NoError(t, err)
	require.Equal(t, result, again, "Wait may be called again")

	result, err = wait(t, calls[4])
	require.NoError(t, err, "A-112 string id")
	require.Equal(t, `"five"`, string(result))

	_, err = wait(t, calls[3])
	var response *Error
	require.ErrorAs(t, err, &response, "A-113")
	require.Equal(t, &Error{-32801, "changed", raw("[1]")}, response)
	require.EqualError(t, err, "changed (code -32801)")

	_, err = wait(t, calls[2])
	require.ErrorIs(t, err, ErrMalformed, "A-114")
	require.ErrorContains(t, err, "missing result")

	_, err = wait(t, calls[1])
	require.ErrorIs(t, err, ErrMalformed, "A-105")
	require.ErrorContains(t, err, "message of 1020 bytes is over the limit of 1000 bytes (maxMessageBytes)")

	_, err = wait(t, calls[0])
	require.ErrorIs(t, err, ErrMalformed, "A-107")
	require.ErrorContains(t, err, "not UTF-8")

	p.say(`{"id":6,"result":"late"}`)
	p.alive()
	again, err = wait(t, calls[5])
	require.NoError(t, err)
	require.Equal(t, `"six"`, string(again), "A-112 a second reply is dropped")
	require.Equal(t, Counters{SkippedMessages: 2}, p.conn.Counters())
}

// a caller may leave; its reply harms nobody, and is there for the next.
func TestContextEndsOnlyTheWait(t *testing.T) {
	p := connect(t, Options{})
	call := p.call("slow")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := call.Wait(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, p.conn.Err())

	p.say(`{"id":1,"result":"late"}`)
	p.alive()
	for range 100 {
		result, err := call.Wait(ctx)
		require.NoError(t, err, "what is there is returned, context or not")
		require.Equal(t, `"late"`, string(result))
	}
}

func TestNotifications(t *testing.T) {
	type note struct {
		method string
		params json.RawMessage
	}
	notes := make(chan note, 10)
	p := connect(t, Options{OnNotification: func(method string, params json.RawMessage) {
		notes <- note{method, params}
	}})
	p.say(
		`{"method":"$/progress","params":{"token":"<1>"}}`,
		`{"method":"skipped","params":"`+strings.Repeat("x", 1000)+`"}`,
		"{\"method\":\"skipped\",\"params\":\"\xff\"}",
		`[{"method":"batch"}]`,
		`{"method":"$/odd","id":null}`,
	)
	require.Equal(t, note{"$/progress", raw(`{"token":"<1>"}`)}, <-notes)
	require.Equal(t, note{"$/odd", nil}, <-notes)
	p.print("one line of chatter\n")
	p.alive()
	require.Empty(t, notes)
	require.Equal(t, Counters{StrayBytes: 20, StrayText: `"one line of chatter"`, SkippedMessages: 2}, p.conn.Counters())
}

// without a handler notifications are dropped.
func TestNotificationsWithoutHandler(t *testing.T) {
	p := connect(t, Options{})
	p.say(`{"method":"window/logMessage","params":{}}`)
	p.alive()
}

func TestServerRequests(t *testing.T) {
	p := connect(t, Options{OnRequest: func(_ context.Context, method string, params json.RawMessage) (any, *Error) {
		switch method {
		case "echo":
			return params, nil
		case "null":
			return nil, nil
		case "unencodable":
			return func() {}, nil
		case "bad data":
			return nil, &Error{Code: 1, Message: "x", Data: raw("{")}
		default:
			return nil, &Error{Code: CodeMethodNotFound, Message: "no <" + method + ">"}
		}
	}})
	cases := []struct{ name, request, reply string }{
		{"A-121 number id", `{"id":7,"method":"echo","params":["<"]}`, `{"jsonrpc":"2.0","id":7,"result":["<"]}`},
		{"A-121 string id", `{"id":"a-1","method":"null"}`, `{"jsonrpc":"2.0","id":"a-1","result":null}`},
		{"A-121 number as string", `{"id":"7","method":"null"}`, `{"jsonrpc":"2.0","id":"7","result":null}`},
		{"A-121 fraction", `{"id":1.50,"method":"null"}`, `{"jsonrpc":"2.0","id":1.50,"result":null}`},
		{"A-121 negative", `{"id":-3,"method":"null"}`, `{"jsonrpc":"2.0","id":-3,"result":null}`},
		{"A-121 beyond 64 bits", `{"id":123456789012345678901234567890,"method":"null"}`, `{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":null}`},
		{"A-120 error", `{"id":7,"method":"what"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no <what>"}}`},
		{"A-105 oversized", `{"id":7,"method":"` + strings.Repeat("x", 1000) + `"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"message of 1020 bytes is over the limit of 1000 bytes (maxMessageBytes)"}}`},
		{"A-107 not UTF-8", "{\"id\":7,\"method\":\"\xff\"}", `{"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"message is not UTF-8"}}`},
		{"result that cannot be encoded", `{"id":7,"method":"unencodable"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"result of unencodable: json: unsupported type: func()"}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p.say(c.request)
			require.Equal(t, c.reply, p.hear())
		})
	}
	t.Run("error data that cannot be encoded", func(t *testing.T) {
		p.say(`{"id":7,"method":"bad data"}`)
		require.Contains(t, p.hear(), `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,`)
	})
	p.alive()
}

// nobody handles requests.
func TestServerRequestsWithoutHandler(t *testing.T) {
	p := connect(t, Options{})
	p.say(`{"id":7,"method":"m"}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no handler for \"m\""}}`, p.hear())
}

// a handler that calls the server is no deadlock, and the query in
// progress is not touched.
func TestHandlerCallsBack(t *testing.T) {
	var p *peer
	connected := make(chan struct{})
	p = connect(t, Options{OnRequest: func(ctx context.Context, _ string, _ json.RawMessage) (any, *Error) {
		<-connected
		call, err := p.conn.Call("back", nil)
		if err != nil {
			return nil, &Error{Message: err.Error()}
		}
		result, err := call.Wait(ctx)
		if err != nil {
			return nil, &Error{Message: err.Error()}
		}
		return result, nil
	}})
	close(connected)
	query := p.call("query")
	p.say(`{"id":"a","method":"m"}`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":2,"method":"back"}`, p.hear())
	p.say(`{"id":2,"result":"two"}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":"a","result":"two"}`, p.hear())
	p.say(`{"id":1,"result":"one"}`)
	result, err := wait(t, query)
	require.NoError(t, err)
	require.Equal(t, `"one"`, string(result))
}

func TestRequestsInOrderAndBounded(t *testing.T) {
	gate := make(chan struct{})
	handler := func(ctx context.Context, _ string, params json.RawMessage) (any, *Error) {
		select {
		case <-gate:
		case <-ctx.Done(): // ends with the connection
		}
		return params, nil
	}
	ask := func(i int) string { return fmt.Sprintf(`{"id":%d,"method":"m","params":[%d]}`, i, i) }

	t.Run("in order", func(t *testing.T) {
		p := connect(t, Options{OnRequest: handler, MaxMessageBytes: 10_000})
		for i := range 100 {
			p.say(ask(i))
		}
		for i := range 100 {
			gate <- struct{}{}
			require.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":[%d]}`, i, i), p.hear())
		}
	})
	t.Run("room is given back", func(t *testing.T) {
		p := connect(t, Options{})
		for range 5 {
			p.say(`{"id":1,"method":"m","params":"` + strings.Repeat("x", 800) + `"}`)
			require.Contains(t, p.hear(), "-32601")
		}
	})
	t.Run("too many", func(t *testing.T) {
		p := connect(t, Options{OnRequest: handler, MaxMessageBytes: 10_000})
		for i := range queuedRequests + 2 { // one more is with the handler
			p.mutter(ask(i))
		}
		require.ErrorIs(t, p.ended(), errTooManyRequests)
	})
	t.Run("too large together", func(t *testing.T) {
		p := connect(t, Options{OnRequest: handler})
		big := `{"id":1,"method":"m","params":"` + strings.Repeat("x", 800) + `"}`
		for range 3 { // one of them is with the handler
			p.mutter(big)
		}
		require.ErrorIs(t, p.ended(), errTooManyRequests)
	})
}

func TestFailures(t *testing.T) {
	cases := []struct {
		name  string
		doing func(p *peer)
		cause error
	}{
		{"A-092 framing", func(p *peer) { p.print("Content-Length: abc\r\n") }, ErrFraming},
		{"A-107 body", func(p *peer) { p.say("{") }, ErrFraming},
		{"A-092 end of output", func(p *peer) { p.stdout.Close() }, io.EOF},
		{"A-092 error of output", func(p *peer) { p.stdout.CloseWithError(io.ErrNoProgress) }, io.ErrNoProgress},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := connect(t, Options{})
			settled, pending := p.call("settled"), p.call("pending")
			p.say(`{"id":1,"result":"one"}`)
			c.doing(p)

			requireClosed(t, p.ended(), c.cause)
			_, err := wait(t, pending)
			requireClosed(t, err, c.cause)
			result, err := wait(t, settled)
			require.NoError(t, err, "a reply before the fault is delivered")
			require.Equal(t, `"one"`, string(result))

			// what comes later fails at once, for the same reason.
			for range 3 {
				_, err = p.conn.Call("late", nil)
				requireClosed(t, err, c.cause)
				requireClosed(t, p.conn.Notify("late", nil), c.cause)
				requireClosed(t, p.conn.Cancel(pending), c.cause)
			}
			require.ErrorIs(t, <-p.failed, c.cause, "the owner is told")
			_, open := <-p.heard
			require.False(t, open, "stdin is closed, nothing more was written")

			require.NoError(t, p.conn.Close())
			requireClosed(t, p.conn.Err(), c.cause)
			require.Empty(t, p.failed, "the owner is told once")
		})
	}
}

func requireClosed(t *testing.T, err, cause error) {
	t.Helper()
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, err, cause)
	var closed *ClosedError
	require.ErrorAs(t, err, &closed)
}

func TestClose(t *testing.T) {
	p := connect(t, Options{})
	pending := p.call("pending")
	require.NoError(t, p.conn.Close())
	require.NoError(t, p.conn.Close())
	requireClosed(t, p.ended(), ErrClosedHere)
	_, err := wait(t, pending)
	requireClosed(t, err, ErrClosedHere)
	_, open := <-p.heard
	require.False(t, open, "stdin is closed")
	_, err = p.stdout.Write([]byte("x"))
	require.ErrorIs(t, err, io.ErrClosedPipe, "stdout is closed")
	require.Empty(t, p.failed, "the owner knows")
}

// a broken stdin is the end, though the server lives.
func TestWriteFails(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, write := range []func(c *Conn) error{
		func(c *Conn) error { _, err := c.Call("m", nil); return err },
		func(c *Conn) error { return c.Notify("m", nil) },
	} {
		stdout, w := io.Pipe()
		defer w.Close()
		c := NewConn(stdout, failingWriter{broken}, Options{MaxMessageBytes: 1000})
		requireClosed(t, write(c), broken)
		requireClosed(t, c.Err(), broken)
	}
	t.Run("A-121 of a reply", func(t *testing.T) {
		stdout, w := io.Pipe()
		defer w.Close()
		c := NewConn(stdout, failingWriter{broken}, Options{MaxMessageBytes: 1000})
		_, err := io.WriteString(w, frame(`{"id":1,"method":"m"}`))
		require.NoError(t, err)
		<-c.Closed()
		requireClosed(t, c.Err(), broken)
	})
}

// What the server said before it ended is read to the end, also when a write is what shows
// that it has ended.
func TestLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fromServer, stdout := io.Pipe()
		c := NewConn(fromServer, failingWriter{syscall.EPIPE}, Options{MaxMessageBytes: 1000})
		go func() {
			time.Sleep(lastWords / 2)
			_, _ = io.WriteString(stdout, "usage: tool\n")
			stdout.Close()
		}()
		require.ErrorIs(t, c.Notify("x", nil), io.EOF)
		require.Equal(t, `"usage: tool"`, c.Counters().StrayText)
	})
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }
func (f failingWriter) Close() error              { return nil }

// A server that stops reading: only the death of the process frees the write.
func TestWriteWatchdog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stdout, w := io.Pipe()
		defer w.Close()
		stuck := &stuckWriter{entered: make(chan struct{}, 9), killed: make(chan struct{})}
		c := NewConn(stdout, stuck, Options{
			MaxMessageBytes: 1000,
			WriteTimeout:    5 * time.Second,
			OnFail:          func(error) { close(stuck.killed) },
		})
		call, err := c.Call("first", nil)
		require.NoError(t, err)
		stuck.block.Store(true)

		start := time.Now()
		failures := make(chan error, 1)
		go func() { failures <- c.Notify("stuck", nil) }()
		_, err = call.Wait(t.Context())
		requireClosed(t, err, errTimeout)
		require.ErrorContains(t, err, "took no input for 5s")
		require.Equal(t, 5*time.Second, time.Since(start))
		requireClosed(t, <-failures, errTimeout)
		requireClosed(t, c.Notify("later", nil), errTimeout)
		require.Len(t, stuck.entered, 2, "nothing is written after the failure")
	})
}

// A write that waited for its turn is not begun on a dead connection.
func TestWriteAfterFailure(t *testing.T) {
	pipe := &stuckWriter{entered: make(chan struct{}, 1)}
	w := &frameWriter{w: pipe, failed: func() error { return io.EOF }}
	require.ErrorIs(t, w.write([]byte("{}")), io.EOF)
	require.Empty(t, pipe.entered)
}

// A write that ends in time leaves nothing behind.
func TestWriteInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stdout, w := io.Pipe()
		defer w.Close()
		slow := &stuckWriter{entered: make(chan struct{}, 9), killed: make(chan struct{})}
		slow.block.Store(true)
		c := NewConn(stdout, slow, Options{MaxMessageBytes: 1000, WriteTimeout: 5 * time.Second})
		time.AfterFunc(4*time.Second, func() { slow.block.Store(false); close(slow.killed) })
		require.NoError(t, c.Notify("slow", nil))
		time.Sleep(time.Hour)
		require.NoError(t, c.Err())
		require.NoError(t, c.Close())
	})
}

// Many callers, server requests and notifications at once, and an end in
// the middle of it. Every call gets its own reply or the one cause.
func TestHammer(t *testing.T) {
	p := connect(t, Options{
		MaxMessageBytes: 100_000,
		OnRequest:       func(context.Context, string, json.RawMessage) (any, *Error) { return true, nil },
	})
	go func() {
		for body := range p.heard {
			var m struct {
				ID     uint64
				Method string
			}
			if json.Unmarshal([]byte(body), &m) != nil || m.Method != "double" {
				continue
			}
			answer := frame(`{"method":"n"}`) + frame(fmt.Sprintf(`{"id":%d,"result":%d}`, m.ID, 2*m.ID))
			if m.ID%4 == 0 { // all together fit into the queue
				answer = frame(`{"id":"s","method":"m"}`) + answer
			}
			if _, err := io.WriteString(p.stdout, answer); err != nil {
				return
			}
		}
	}()
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := range 200 {
				call, err := p.conn.Call("double", nil)
				if err == nil {
					var result json.RawMessage
					if result, err = wait(t, call); err == nil && string(result) != fmt.Sprint(2*call.ID()) {
						t.Errorf("call %d got %s", call.ID(), result)
					}
				}
				if err != nil {
					if !errors.Is(err, ErrClosedHere) {
						t.Errorf("call failed with %v", err)
					}
					return
				}
				if caller == 0 && i == 100 {
					p.conn.Close()
				}
			}
		})
	}
	callers.Wait()
	requireClosed(t, p.conn.Err(), ErrClosedHere)
}

// The same over a pipe of the system, filled to the brim.
func TestWriteWatchdogOnRealPipe(t *testing.T) {
	stdin, toServer, err := os.Pipe()
	require.NoError(t, err)
	fromServer, stdout, err := os.Pipe()
	require.NoError(t, err)
	defer stdout.Close()
	c := NewConn(fromServer, toServer, Options{
		MaxMessageBytes: 1000,
		WriteTimeout:    50 * time.Millisecond,
		OnFail:          func(error) { stdin.Close() }, // as the end of the process would
	})
	err = c.Notify("big", strings.Repeat("x", 10_000_000))
	requireClosed(t, err, errTimeout)
}
