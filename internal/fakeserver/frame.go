package fakeserver

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// envelope is any JSON-RPC message.
type envelope struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// violation says which rule of the protocol the client broke.
type violation string

func (v violation) Error() string { return string(v) }

// maxLength is more than a client has to say.
const maxLength = 1 << 28

func readFrame(r *bufio.Reader) (m envelope, err error) {
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return m, err
		}
		line, ok := strings.CutSuffix(line, "\r\n")
		if !ok {
			return m, violation("a header line ends without CR")
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			return m, violation("no header: " + line)
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		if length, err = strconv.Atoi(value); err != nil || length < 0 || length > maxLength {
			return m, violation("no length: " + value)
		}
	}
	if length < 0 {
		return m, violation("no Content-Length")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, violation("no message: " + err.Error())
	}
	return m, nil
}

// writer writes one whole message at a time. What it cannot write is lost: the client has
// gone, or the script closed the output.
type writer struct {
	mu     sync.Mutex
	w      io.Writer
	pieces int // the size of each, if it is not 0
}

// chunk divides what is written from now on into pieces of that size; 0 leaves it whole.
func (w *writer) chunk(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pieces = size
}

// frame writes a body under its header, in which $length is the length of the body.
func (w *writer) frame(header, body string) {
	if header == "" {
		header = "Content-Length: $length\r\n\r\n"
	}
	w.write(strings.ReplaceAll(header, "$length", strconv.Itoa(len(body)))+body, 1)
}

func (w *writer) write(text string, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range times {
		for rest := text; rest != ""; {
			piece := rest
			if w.pieces > 0 && len(rest) > w.pieces {
				piece = rest[:w.pieces]
			}
			if _, err := io.WriteString(w.w, piece); err != nil {
				return
			}
			if rest = rest[len(piece):]; rest != "" {
				time.Sleep(time.Millisecond) // so that no reader gets two at once
			}
		}
	}
}
