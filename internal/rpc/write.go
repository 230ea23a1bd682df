package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// frameWriter writes one message at a time and watches how long that takes. It
// does not rely on write deadlines, which not every pipe of every system has:
// when time is up it reports, and whoever it reports to ends the reader.
type frameWriter struct {
	w      io.Writer
	watch  watchdog
	fail   func(cause error)
	failed func() error
	seen   func(sent bool, body []byte, size int) // or nil

	mu sync.Mutex
}

// write sends header and body in one piece, so that a server which reads
// carelessly never sees half a header.
func (f *frameWriter) write(body []byte) error {
	frame := make([]byte, 0, len(body)+32)
	frame = append(frame, "Content-Length: "...)
	frame = strconv.AppendInt(frame, int64(len(body)), 10)
	frame = append(frame, "\r\n\r\n"...)
	frame = append(frame, body...)

	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.failed(); err != nil { // while this write waited for its turn
		return err
	}
	if f.seen != nil {
		f.seen(true, body, len(body))
	}
	f.watch.begin()
	defer f.watch.end()
	if _, err := f.w.Write(frame); err != nil {
		err = fmt.Errorf("writing to the server: %w", err)
		f.fail(err)
		return err
	}
	return nil
}

// requestBody is a request, or a notification where the id is 0. Params that are nil are
// left out; else they are JSON already, and are not gone through again.
func requestBody(id uint64, method string, params json.RawMessage) []byte {
	b := make([]byte, 0, len(method)+len(params)+64)
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendUint(b, id, 10)
	}
	b = append(b, `,"method":`...)
	b = strconv.AppendQuote(b, method) // a name of the protocol has nothing to escape
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// outgoing is a reply of this side.
type outgoing struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// encode leaves <, > and & alone: source text is full of them.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// encodeParams returns nil where the member is to be left out.
func encodeParams(method string, params any) (json.RawMessage, error) {
	raw, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", method, err)
	}
	if isNull(raw) {
		return nil, nil
	}
	return raw, nil
}
