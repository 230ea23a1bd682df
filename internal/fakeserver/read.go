package fakeserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// input is what the reader shares with the worker.
type input struct {
	ctx      context.Context
	log      *logger
	messages chan envelope // closed at the end of the input
	hung     chan struct{} // closed: read no more
	ended    chan struct{} // closed at the end of the input, before messages are drained

	mu           sync.Mutex
	ignoreCancel bool
	requests     map[string]chan struct{} // in hand, by id; closed: cancelled
	asked        map[string]chan struct{} // the server's own, by id; closed: answered
}

// enough is more messages than a test sends while one action goes on.
const enough = 1024

func newInput(ctx context.Context, script Script, log *logger) *input {
	return &input{
		ctx: ctx, log: log, ignoreCancel: script.IgnoreCancel,
		messages: make(chan envelope, enough),
		hung:     make(chan struct{}),
		ended:    make(chan struct{}),
		requests: map[string]chan struct{}{},
		asked:    map[string]chan struct{}{},
	}
}

func (in *input) read(stdin io.Reader) {
	defer close(in.messages)
	defer close(in.ended)
	r := bufio.NewReader(gate{stdin, in})
	for {
		m, err := readFrame(r)
		var wrong violation
		if errors.As(err, &wrong) {
			in.log.violation(string(wrong))
		}
		if err != nil || !in.take(m) {
			return
		}
	}
}

// take reports false when nobody wants more.
func (in *input) take(m envelope) bool {
	switch {
	case m.Method == "":
		answer := m.Result
		if m.Error != nil {
			answer = m.Error
		}
		in.log.add(Event{Method: "reply", ID: m.ID, Params: answer, Failed: m.Error != nil})
		in.answered(m.ID)
		return true
	case m.Method == "$/cancelRequest":
		in.log.add(Event{Method: m.Method, Params: m.Params})
		in.cancel(m.Params)
		return true
	}
	in.log.add(Event{Method: m.Method, ID: m.ID, Params: m.Params})
	if m.ID != nil {
		in.mu.Lock()
		in.requests[string(m.ID)] = make(chan struct{})
		in.mu.Unlock()
	}
	select {
	case in.messages <- m:
		return true
	case <-in.ctx.Done():
		return false
	}
}

func (in *input) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(params, &p) // no id, no request
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.ignoreCancel {
		closeOnce(in.requests[string(p.ID)])
	}
}

// cancelled is closed when the request is cancelled, and nil for a notification.
func (in *input) cancelled(id json.RawMessage) <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.requests[string(id)]
}

func (in *input) settled(id json.RawMessage) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.requests, string(id))
}

// ask notes a request of the server and returns what its answer closes.
func (in *input) ask(id json.RawMessage) <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	c := make(chan struct{})
	in.asked[string(id)] = c
	return c
}

func (in *input) answered(id json.RawMessage) {
	in.mu.Lock()
	defer in.mu.Unlock()
	closeOnce(in.asked[string(id)])
}

// closeOnce closes a channel that nothing is sent on. Its caller holds the lock.
func closeOnce(c chan struct{}) {
	if c == nil {
		return
	}
	select {
	case <-c:
	default:
		close(c)
	}
}

// gate is an input that stops for ever when the server hangs: what a read brought that was
// under way by then is lost.
type gate struct {
	r  io.Reader
	in *input
}

func (g gate) Read(p []byte) (int, error) {
	g.pass()
	n, err := g.r.Read(p)
	g.pass()
	return n, err
}

func (g gate) pass() {
	select {
	case <-g.in.hung:
		<-g.in.ctx.Done()
	default:
	}
}
