package fakeserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// envelope is any JSON-RPC message.
type envelope struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func readFrame(r *bufio.Reader) (envelope, error) {
	var m envelope
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return m, err
			}
		}
	}
	if length < 0 {
		return m, fmt.Errorf("no Content-Length")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// writer writes one whole message at a time.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *writer) frame(body string) {
	w.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body), 1)
}

func (w *writer) raw(text string, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range times {
		io.WriteString(w.w, text)
	}
}
