package rpc

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

type kind int

const (
	ignored kind = iota
	reply
	request
	notification
)

// message is one message of the server, told apart.
type message struct {
	kind   kind
	call   uint64          // reply: which call it settles
	id     json.RawMessage // request: as it came, to be echoed
	method string
	params json.RawMessage // nil when absent or null
	outcome
	refusal *Error // request: the answer to one that was not taken
	untaken bool   // too large or not UTF-8
}

// outcome is what a call ends with when the connection lives.
type outcome struct {
	result json.RawMessage
	err    error
}

// unusable says why a whole message was not taken.
type unusable struct {
	code int64
	why  string
}

// decode tells what a body is. An error means that the framing is lost.
func decode(body []byte) (message, error) {
	c := checker{data: body}
	if !c.message() {
		return message{}, badFraming("a message of %d bytes is not JSON; it begins %s", len(body), excerpt(body))
	}
	id, method := c.envelope[memberID], c.envelope[memberMethod]
	if !utf8.Valid(body) {
		return refuse(id, method, unusable{CodeParseError, "message is not UTF-8"}), nil
	}
	m := classify(id, method)
	switch m.kind {
	case reply:
		m.outcome = settle(c.envelope[memberResult], c.envelope[memberError])
	case request, notification:
		m.method = text(method)
		if params := c.envelope[memberParams]; string(params) != "null" {
			m.params = params
		}
	}
	return m, nil
}

// refuse makes of a message that cannot be taken what its kind calls for: a
// failed call, an error reply, or nothing.
func refuse(id, method json.RawMessage, u unusable) message {
	m := classify(id, method)
	m.untaken = true
	switch m.kind {
	case reply:
		m.outcome = outcome{err: malformed(u.why)}
	case request:
		m.refusal = &Error{Code: u.code, Message: u.why}
	case notification:
		m.kind = ignored
	}
	return m
}

// classify looks at the id and the method alone, as JSON-RPC does.
func classify(id, method json.RawMessage) message {
	usable := isScalar(id)
	if isString(method) {
		if usable {
			return message{kind: request, id: id}
		}
		return message{kind: notification}
	}
	if usable {
		if call, ok := callNumber(id); ok {
			return message{kind: reply, call: call}
		}
	}
	return message{kind: ignored}
}

// callNumber reads the id of a reply. Calls have whole numbers; some servers
// give them back as a string, or as the float their language made of it.
func callNumber(id json.RawMessage) (uint64, bool) {
	if isString(id) {
		n, err := strconv.ParseUint(text(id), 10, 64)
		return n, err == nil && strconv.FormatUint(n, 10) == text(id)
	}
	if n, err := strconv.ParseUint(string(id), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(id), 64)
	whole := err == nil && f >= 0 && f < 1<<53 && f == math.Trunc(f)
	if !whole {
		return 0, false
	}
	return uint64(f), true
}

// settle reads a reply. Only an error that is an object counts as one.
func settle(result, failure json.RawMessage) outcome {
	switch {
	case isObject(failure):
		return outcome{err: decodeError(failure)}
	case result == nil:
		return outcome{err: malformed("missing result")}
	default:
		return outcome{result: result}
	}
}

// decodeError keeps what is usable of an error object.
func decodeError(raw json.RawMessage) *Error {
	var wire struct{ Code, Message, Data json.RawMessage }
	_ = json.Unmarshal(raw, &wire) // an object of valid JSON always fits
	e := &Error{Message: "the server gave no message"}
	if isString(wire.Message) {
		e.Message = text(wire.Message)
	}
	if code, err := strconv.ParseFloat(string(wire.Code), 64); err == nil && code == math.Trunc(code) && math.Abs(code) < 1<<53 {
		e.Code = int64(code)
	}
	if !isNull(wire.Data) {
		e.Data = wire.Data
	}
	return e
}

// text decodes a string that is known to be valid JSON.
func text(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

func isString(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte(`"`)) }
func isObject(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte("{")) }
func isNull(raw json.RawMessage) bool   { return len(raw) == 0 || string(raw) == "null" }

// isScalar accepts the ids that JSON-RPC knows: a number or a string.
func isScalar(raw json.RawMessage) bool {
	if len(raw) == 0 || !json.Valid(raw) || !utf8.Valid(raw) {
		return false
	}
	return raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}
