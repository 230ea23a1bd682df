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

// outgoing is what this side writes itself: notifications and replies.
type outgoing struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
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
