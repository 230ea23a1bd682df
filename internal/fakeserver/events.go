package fakeserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"
)

// ReadLog reads the events so far. A log that is not there yet is empty.
func ReadLog(path string) ([]Event, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var events []Event
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // being written
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
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
