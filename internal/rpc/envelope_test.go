package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestClassify(t *testing.T) {
	cases := []struct {
		name, body string
		want       message
	}{
		{"A-111 number id and method", `{"id":7,"method":"m"}`, message{kind: request, id: raw("7"), method: "m"}},
		{"A-111 string id and method", `{"id":"a","method":"m"}`, message{kind: request, id: raw(`"a"`), method: "m"}},
		{"A-111 a request may carry a result", `{"id":7,"method":"m","result":1}`, message{kind: request, id: raw("7"), method: "m"}},
		{"A-121 ids are kept as they came", `{"id": -1.50e3 ,"method":"m"}`, message{kind: request, id: raw("-1.50e3"), method: "m"}},
		{"A-111 id 0 is an id", `{"id":0,"method":"m"}`, message{kind: request, id: raw("0"), method: "m"}},
		{"A-111 no id", `{"method":"m"}`, message{kind: notification, method: "m"}},
		{"A-111 null id and method", `{"id":null,"method":"m"}`, message{kind: notification, method: "m"}},
		{"A-111 object id and method", `{"id":{"a":1},"method":"m"}`, message{kind: notification, method: "m"}},
		{"A-111 boolean id and method", `{"id":true,"method":"m"}`, message{kind: notification, method: "m"}},
		{"A-111 empty method", `{"method":""}`, message{kind: notification}},
		{"A-111 escapes", `{"\u006dethod":"\u006d/\"\\"}`, message{kind: notification, method: `m/"\`}},
		{"A-111 nested members do not count", `{"params":{"id":1,"method":"no"},"method":"m"}`, message{kind: notification, method: "m", params: raw(`{"id":1,"method":"no"}`)}},
		{"A-111 the last of two members", `{"method":"a","method":"m"}`, message{kind: notification, method: "m"}},
		{"A-111 a longer name", `{"method":"m","\u006d\u0065\u0074\u0068\u006f\u0064s":"no"}`, message{kind: notification, method: "m"}},
		{"A-111 names are case-sensitive", `{"Method":"m","ID":1,"result":1}`, message{}},
		{"A-155 params that are null", `{"method":"m","params":null}`, message{kind: notification, method: "m"}},
		{"params as they came", `{"method":"m","params": [1.0, "<"] }`, message{kind: notification, method: "m", params: raw(`[1.0, "<"]`)}},

		{"A-111 reply", `{"id":7,"result":[1]}`, settled(7, outcome{result: raw("[1]")})},
		{"A-111 method that is no string", `{"id":7,"method":5,"result":1}`, settled(7, outcome{result: raw("1")})},
		{"A-111 null method", `{"id":7,"method":null,"result":1}`, settled(7, outcome{result: raw("1")})},
		{"A-112 string form of a number", `{"id":"7","result":1}`, settled(7, outcome{result: raw("1")})},
		{"A-112 a whole float", `{"id":7.0,"result":1}`, settled(7, outcome{result: raw("1")})},
		{"A-112 other strings", `{"id":"seven","result":1}`, message{}},
		{"A-112 string with leading zero", `{"id":"07","result":1}`, message{}},
		{"A-112 string with blank", `{"id":" 7","result":1}`, message{}},
		{"A-112 empty string", `{"id":"","result":1}`, message{}},
		{"A-112 null id", `{"id":null,"result":1}`, message{}},
		{"A-112 null id and error", `{"id":null,"error":{"code":-32700,"message":"?"}}`, message{}},
		{"A-112 no id", `{"result":1}`, message{}},
		{"A-112 fraction", `{"id":7.5,"result":1}`, message{}},
		{"A-112 negative", `{"id":-7,"result":1}`, message{}},
		{"A-112 huge", `{"id":1e300,"result":1}`, message{}},
		{"A-112 object id", `{"id":{},"result":1}`, message{}},
		{"A-112 array id", `{"id":[7],"result":1}`, message{}},

		{"A-114 null result", `{"id":7,"result":null}`, settled(7, outcome{result: raw("null")})},
		{"A-114 null error", `{"id":7,"result":1,"error":null}`, settled(7, outcome{result: raw("1")})},
		{"A-114 error that is no object", `{"id":7,"result":1,"error":"no"}`, settled(7, outcome{result: raw("1")})},
		{"A-114 missing result", `{"id":7}`, settled(7, outcome{err: malformed("missing result")})},
		{"A-114 missing result, null error", `{"id":7,"error":null}`, settled(7, outcome{err: malformed("missing result")})},
		{"A-114 missing result, text error", `{"id":7,"error":"no"}`, settled(7, outcome{err: malformed("missing result")})},

		{"A-113 error", `{"id":7,"error":{"code":-32801,"message":"changed","data":{"a":1}}}`, settled(7, outcome{err: &Error{-32801, "changed", raw(`{"a":1}`)}})},
		{"A-113 error beside a result", `{"id":7,"result":1,"error":{"code":1,"message":"x"}}`, settled(7, outcome{err: &Error{1, "x", nil}})},
		{"A-113 message that is no string", `{"id":7,"error":{"code":5,"message":{},"data":1}}`, settled(7, outcome{err: &Error{5, "the server gave no message", raw("1")}})},
		{"A-113 empty error", `{"id":7,"error":{}}`, settled(7, outcome{err: &Error{0, "the server gave no message", nil}})},
		{"A-113 code that is no number", `{"id":7,"error":{"code":"E1","message":"x"}}`, settled(7, outcome{err: &Error{0, "x", nil}})},
		{"A-113 code that is fractional", `{"id":7,"error":{"code":1.5,"message":"x"}}`, settled(7, outcome{err: &Error{0, "x", nil}})},
		{"A-113 code that is huge", `{"id":7,"error":{"code":1e999,"message":"x"}}`, settled(7, outcome{err: &Error{0, "x", nil}})},
		{"A-113 code as a float", `{"id":7,"error":{"code":-32801.0,"message":"x"}}`, settled(7, outcome{err: &Error{-32801, "x", nil}})},
		{"A-113 null data", `{"id":7,"error":{"code":1,"message":"x","data":null}}`, settled(7, outcome{err: &Error{1, "x", nil}})},

		{"A-109 number", `5`, message{}},
		{"A-109 null", `null`, message{}},
		{"A-109 string", `"{\"method\":\"m\"}"`, message{}},
		{"A-109 batch", `[{"id":7,"result":1}]`, message{}},
		{"A-109 empty object", `{}`, message{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := decode([]byte(" \n" + c.body + "\t"))
			require.NoError(t, err)
			require.Equal(t, c.want, m)
		})
	}
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func settled(call uint64, o outcome) message {
	return message{kind: reply, call: call, outcome: o}
}

// What is nested deeper than encoding/json allows is refused as that does.
func TestDepth(t *testing.T) {
	for _, depth := range []int{maxDepth, maxDepth + 1} {
		body := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		_, err := decode(body)
		require.Equal(t, json.Valid(body), err == nil, depth)
		require.Equal(t, depth == maxDepth, err == nil)
	}
}

func TestNotUTF8(t *testing.T) {
	const why = "message is not UTF-8"
	cases := []struct {
		name, body string
		want       message
	}{
		{"A-107 reply", "{\"result\":\"\xff\",\"id\":7}", message{kind: reply, call: 7, untaken: true, outcome: outcome{err: malformed(why)}}},
		{"A-107 error reply", "{\"id\":7,\"error\":{\"code\":1,\"message\":\"\xc3\"}}", message{kind: reply, call: 7, untaken: true, outcome: outcome{err: malformed(why)}}},
		{"A-107 notification", "{\"method\":\"m\",\"params\":\"\xff\"}", message{untaken: true}},
		{"A-107 request", "{\"id\":\"a\",\"method\":\"m\",\"params\":\"\xed\xa0\x80\"}", message{kind: request, id: raw(`"a"`), untaken: true, refusal: &Error{Code: -32700, Message: why}}},
		{"A-107 request with a bad id", "{\"id\":\"\xff\",\"method\":\"m\"}", message{untaken: true}},
		{"A-107 no object", "\"\xff\"", message{untaken: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := decode([]byte(c.body))
			require.NoError(t, err)
			require.Equal(t, c.want, m)
		})
	}
}

func TestOversized(t *testing.T) {
	const limit = 1000
	big := strings.Repeat(`{"id":3,"method":"no","text":"}],\"{["},`, 100_000/40) + "0"
	nested := strings.Repeat("[", 3000) + strings.Repeat("]", 3000)
	cases := []struct {
		name, body string
		want       message
	}{
		{"A-105 reply, id first", `{"id":7,"result":[` + big + `]}`, message{kind: reply, call: 7}},
		{"A-105 reply, id last", `{"jsonrpc":"2.0","result":[` + big + `] , "id" : 7 }`, message{kind: reply, call: 7}},
		{"A-105 reply, string id", `{"result":[` + big + `],"id":"7"}`, message{kind: reply, call: 7}},
		{"A-105 reply, the last of two ids", `{"id":1,"result":[` + big + `],"id":7}`, message{kind: reply, call: 7}},
		{"A-105 error reply", `{"error":{"code":1,"message":"x","data":[` + big + `]},"id":7}`, message{kind: reply, call: 7}},
		{"A-105 deep nesting", `{"result":` + nested + `,"id":7}`, message{kind: reply, call: 7}},
		{"A-105 many blanks", `{"id":7` + strings.Repeat(" ", 5000) + `,"result":1}`, message{kind: reply, call: 7}},
		{"A-105 notification", `{"method":"m","params":[` + big + `]}`, message{}},
		{"A-105 notification, method last", `{"params":[` + big + `],"method":"m"}`, message{}},
		{"A-105 request", `{"params":[` + big + `],"method":"m","id":"a"}`, message{kind: request, id: raw(`"a"`)}},
		{"A-105 request, huge method", `{"id":8,"method":"` + strings.Repeat("m", 5000) + `"}`, message{kind: request, id: raw("8")}},
		{"A-105 huge id", `{"id":"` + strings.Repeat("7", 5000) + `","method":"m"}`, message{}},
		{"A-105 huge key", `{"` + strings.Repeat("id", 5000) + `":1,"id":7}`, message{kind: reply, call: 7}},
		{"A-105 batch", `[{"id":7,"result":[` + big + `]}]`, message{}},
		{"A-105 not JSON", strings.Repeat("}]", 5000), message{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			why := fmt.Sprintf("message of %d bytes is over the limit of 1000 bytes (maxMessageBytes)", len(c.body))
			c.want.untaken = true
			switch c.want.kind {
			case reply:
				c.want.err = malformed(why)
			case request:
				c.want.refusal = &Error{Code: -32600, Message: why}
			}
			input := frame(c.body) + frame(hello)
			f := newFrameReader(strings.NewReader(input), limit)
			m, err := f.next()
			require.NoError(t, err)
			require.Equal(t, c.want, m)
			require.Equal(t, uint64(1), f.skipped.Load())

			m, err = f.next()
			require.NoError(t, err)
			require.Equal(t, "hello", m.method, "the next message is found")
		})
	}
	t.Run("A-105 the limit itself is taken", func(t *testing.T) {
		body := `{"id":7,"result":"` + strings.Repeat("x", limit-20) + `"}`
		require.Len(t, body, limit)
		f := newFrameReader(strings.NewReader(frame(body)), limit)
		m, err := f.next()
		require.NoError(t, err)
		require.NoError(t, m.err)
		require.Len(t, m.result, limit-18)
	})
}

// FuzzEnvelope compares the checker with encoding/json, and the scanner, in one piece and in
// two.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"id":2,"a":"\\\"}"},"\u0069d":"3"}`), 5)
	f.Add([]byte(`{"method":"m","params":[{},[],"",-1.5e3,null],"error":null}`), 0)
	f.Add([]byte(` {"a":{"b":[{"c":"]}"}]} , "result" : "x" } `), 12)
	f.Add([]byte(`[{"id":1}]`), 1)
	f.Add([]byte("{\"id\":\"\xff\"}"), 3)
	f.Fuzz(func(t *testing.T, body []byte, split int) {
		m, err := decode(body)
		require.Equal(t, json.Valid(body), err == nil)
		c := checker{data: body}
		require.Equal(t, json.Valid(body), c.message())

		var whole, parts scanner
		whole.Write(body)
		cut := min(max(split, 0), len(body))
		parts.Write(body[:cut])
		parts.Write(body[cut:])
		require.Equal(t, whole.id, parts.id)
		require.Equal(t, whole.method, parts.method)
		require.LessOrEqual(t, max(len(whole.id), len(whole.method)), headBytes)
		if err != nil {
			return
		}

		var want map[string]json.RawMessage
		_ = json.Unmarshal(body, &want) // nothing, where it is no object
		for name, member := range map[string]member{"id": memberID, "method": memberMethod, "params": memberParams, "result": memberResult, "error": memberError} {
			require.Equal(t, string(want[name]), string(c.envelope[member]), name)
		}
		for name, head := range map[string][]byte{"id": whole.id, "method": whole.method} {
			if len(head) < headBytes {
				require.Equal(t, string(want[name]), string(bytes.TrimSpace(head)), name)
			}
		}
		if m.kind == request {
			reply, err := encode(outgoing{Version: "2.0", ID: m.id, Result: raw("null")})
			require.NoError(t, err)
			require.True(t, bytes.Contains(reply, m.id), "A-121 the id is echoed as it came")
		}
	})
}

// FuzzFrames reads arbitrary output: it ends, keeps its limits, and reading byte
// by byte makes no difference.
func FuzzFrames(f *testing.F) {
	f.Add([]byte(frame(hello)+"stray\n"+frame(later)), uint8(20))
	f.Add([]byte("Content-Length: 18\r\nX: 1\r\n\r\n"+hello), uint8(200))
	f.Add([]byte("noteContent-Length: 3\r\n\r\n123"), uint8(2))
	f.Add([]byte("Content-Length: 2147483647\r\n\r\n{"), uint8(0))
	f.Fuzz(func(t *testing.T, output []byte, limit uint8) {
		fast := newFrameReader(bytes.NewReader(output), int(limit))
		slow := newFrameReader(iotest.OneByteReader(bytes.NewReader(output)), int(limit))
		for {
			m, err := fast.next()
			n, slowErr := slow.next()
			require.Equal(t, m, n)
			require.LessOrEqual(t, len(m.params)+len(m.result), int(limit))
			if err != nil {
				require.EqualError(t, slowErr, err.Error())
				require.LessOrEqual(t, fast.stray.Load(), uint64(len(output)))
				require.Equal(t, fast.stray.Load(), slow.stray.Load())
				return
			}
			require.NoError(t, slowErr)
		}
	})
}
