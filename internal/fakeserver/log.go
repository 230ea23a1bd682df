package fakeserver

import (
	"encoding/json"
	"os"
	"sync"
)

// Event is a line of the log: a message that the server received, in the order of the
// wire, or what the server has to say itself: "start", "helper", "reply" (to a request of
// the server), "eof" and "violation".
type Event struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id,omitempty"`
	Params json.RawMessage `json:"params,omitempty"` // of a reply its result or error, of a violation its text
	Failed bool            `json:"failed,omitempty"` // the reply is an error
	PID    int             `json:"pid"`              // of the server; of a helper its own
}

// logger appends events to a file that several servers may share.
type logger struct {
	mu   sync.Mutex
	file *os.File
}

func openLog(path string) (*logger, error) {
	if path == "" {
		return &logger{}, nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &logger{file: file}, err
}

func (l *logger) add(e Event) {
	if e.PID == 0 {
		e.PID = os.Getpid()
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // what was decoded can be encoded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Write(append(line, '\n'))
	}
}

func (l *logger) violation(text string) {
	params, _ := json.Marshal(text) // a string cannot fail
	l.add(Event{Method: "violation", Params: params})
}

func (l *logger) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}
