package fakeserver

import (
	"encoding/json"
	"strings"
	"time"
)

// due is the action for a message.
func (s *server) due(method string, m envelope) Action {
	list, ok := s.script.On[method]
	if !ok && m.ID != nil && s.usual(method) == "" {
		method = ""
		list = s.script.On[method]
	}
	if len(list) == 0 {
		return Action{}
	}
	a := list[min(s.counts[method], len(list)-1)]
	s.counts[method]++
	return a
}

// act carries out the action that is due.
func (s *server) act(method string, m envelope) {
	uri := s.note(m)
	a := s.due(method, m)
	cancelled := !s.delay(a, m)
	fill := s.filler(m, uri)

	s.out.chunk(a.ChunkBytes)
	repeat := max(1, a.Repeat)
	if a.Stderr != "" {
		(&writer{w: s.stderr}).write(fill(a.Stderr), repeat)
	}
	if a.Raw != "" {
		s.out.write(fill(a.Raw), repeat)
	}
	if a.Bytes != nil {
		s.out.write(string(a.Bytes), repeat)
	}
	s.talk(a, fill)
	for _, body := range a.Frames {
		s.out.frame(a.Header, fill(body))
	}
	if m.ID != nil && !a.NoReply {
		s.out.frame(a.Header, fill(s.reply(a, m, uri, cancelled)))
	}
	s.finish(a)
}

// delay reports false when a cancel cut it short.
func (s *server) delay(a Action, m envelope) bool {
	if a.DelayMS == 0 {
		return true
	}
	select {
	case <-s.input.cancelled(m.ID):
		return false
	case <-s.ctx.Done():
	case <-time.After(time.Duration(a.DelayMS) * time.Millisecond):
	}
	return true
}

// talk sends the server's own messages.
func (s *server) talk(a Action, fill func(string) string) {
	var answers []<-chan struct{}
	for _, ask := range a.Ask {
		answers = append(answers, s.input.ask(ask.ID))
		s.send(a.Header, ask, fill)
	}
	for _, note := range a.Notify {
		s.send(a.Header, note, fill)
	}
	if !a.Await {
		return
	}
	for _, answered := range answers {
		select {
		case <-answered:
		case <-s.input.ended:
		case <-s.ctx.Done():
		}
	}
}

func (s *server) send(header string, m Message, fill func(string) string) {
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		envelope
		Pad string `json:"pad,omitempty"`
	}{"2.0", envelope{ID: m.ID, Method: m.Method, Params: m.Params}, padding(m.Pad)})
	if err != nil {
		s.log.violation("the script's own message: " + err.Error())
		return
	}
	text := fill(string(body))
	if m.DelayMS == 0 {
		s.out.frame(header, text)
		return
	}
	go func() {
		select {
		case <-s.ctx.Done():
		case <-time.After(time.Duration(m.DelayMS) * time.Millisecond):
			s.out.frame(header, text)
		}
	}()
}

func padding(n int) string { return strings.Repeat("x", n) }

// finish does what comes after the reply.
func (s *server) finish(a Action) {
	if a.LingerMS > 0 {
		select {
		case <-s.ctx.Done():
		case <-time.After(time.Duration(a.LingerMS) * time.Millisecond):
		}
	}
	if a.CloseInput {
		s.deaf = true
		s.stdin.Close()
	}
	if a.CloseOut {
		s.stdout.Close()
	}
	if a.Exit != nil {
		s.end(*a.Exit)
		return
	}
	if a.Hang {
		close(s.input.hung)
		s.sleep()
	}
}
