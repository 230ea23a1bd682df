package fakeserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Event is a line of the log: a message that the server received, or "start", "helper",
// "reply" (to a request of the server) and "eof".
type Event struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id,omitempty"`
	Params json.RawMessage `json:"params,omitempty"` // of a reply: its result or error
	PID    int             `json:"pid"`
}

// logger appends events to a file that several servers may share.
type logger struct {
	mu   sync.Mutex
	file *os.File
}

func openLog(path string) *logger {
	if path == "" {
		return &logger{}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(2)
	}
	return &logger{file: file}
}

func (l *logger) add(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return
	}
	if e.PID == 0 {
		e.PID = os.Getpid()
	}
	line, err := json.Marshal(e)
	if err != nil {
		line, _ = json.Marshal(Event{Method: e.Method, Params: Raw(`"unprintable"`), PID: e.PID})
	}
	l.file.Write(append(line, '\n'))
}

// ReadLog reads the events so far. A log that is not there yet is empty.
func ReadLog(path string) ([]Event, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var events []Event
	for line := range bytes.Lines(data) {
		var e Event
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // being written
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, err
}

// WaitLog reads the log until the events are enough, and returns what there is when they
// are not within the limit.
func WaitLog(path string, limit time.Duration, enough func([]Event) bool) ([]Event, error) {
	deadline := time.Now().Add(limit)
	for {
		events, err := ReadLog(path)
		if err != nil || enough(events) || time.Now().After(deadline) {
			return events, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Count returns how many events have the method.
func Count(events []Event, method string) int {
	n := 0
	for _, e := range events {
		if e.Method == method {
			n++
		}
	}
	return n
}
