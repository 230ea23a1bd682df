package fakeserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// server is one run of a script. The worker carries out one message at a time; the reader
// goes on reading meanwhile, so that a cancel is seen.
type server struct {
	script Script
	out    *writer
	log    *logger
	counts map[string]int
	root   string
	open   map[string]document
	down   bool // shutdown was asked

	mu        sync.Mutex
	cancelled map[string]chan struct{} // by request id
	hung      chan struct{}            // closed: read no more
}

func run(script Script) int {
	s := &server{
		script:    script,
		out:       &writer{w: os.Stdout},
		log:       openLog(script.Log),
		counts:    map[string]int{},
		open:      map[string]document{},
		cancelled: map[string]chan struct{}{},
		hung:      make(chan struct{}),
	}
	if script.IgnoreSignals {
		ignoreSignals()
	}
	s.log.add(Event{Method: "start"})
	if script.Helper != "" {
		s.log.add(Event{Method: "helper", PID: startHelper(script.Helper)})
	}
	s.act("start", envelope{})
	messages := make(chan envelope, 1024)
	go s.read(messages)
	for m := range messages {
		s.handle(m)
	}
	s.log.add(Event{Method: "eof"})
	s.act("eof", envelope{})
	if script.IgnoreEOF {
		forever()
	}
	return 0
}

func (s *server) read(messages chan<- envelope) {
	defer close(messages)
	r := bufio.NewReader(os.Stdin)
	for {
		m, err := readFrame(r)
		if err != nil {
			return
		}
		select {
		case <-s.hung:
			forever()
		default:
		}
		switch {
		case m.Method == "$/cancelRequest":
			s.log.add(Event{Method: m.Method, Params: m.Params})
			s.cancel(m.Params)
		case m.Method == "":
			answer := m.Result
			if m.Error != nil {
				answer = m.Error
			}
			s.log.add(Event{Method: "reply", ID: m.ID, Params: answer})
		default:
			if m.ID != nil {
				s.mu.Lock()
				s.cancelled[string(m.ID)] = make(chan struct{})
				s.mu.Unlock()
			}
			messages <- m
		}
	}
}

func (s *server) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(params, &p)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cancelled[string(p.ID)]
	if c == nil || s.script.IgnoreCancel {
		return
	}
	select {
	case <-c: // cancelled before
	default:
		close(c)
	}
}

func (s *server) handle(m envelope) {
	s.log.add(Event{Method: m.Method, ID: m.ID, Params: m.Params})
	if m.Method == "initialize" {
		var p struct {
			RootURI string `json:"rootUri"`
		}
		_ = json.Unmarshal(m.Params, &p)
		s.root = p.RootURI
	}
	s.act(m.Method, m)
	switch {
	case m.Method == "shutdown":
		s.down = true
	case m.Method == "exit" && !s.script.IgnoreExit:
		if s.down {
			os.Exit(0)
		}
		os.Exit(1)
	}
}

// act carries out the action that is due for a method.
func (s *server) act(method string, m envelope) {
	var a Action
	if list := s.script.On[method]; len(list) > 0 {
		a = list[min(s.counts[method], len(list)-1)]
		s.counts[method]++
	}
	uri := s.note(m)
	cancelled := !s.delay(a, m)
	repeat := max(1, a.Repeat)
	os.Stderr.WriteString(strings.Repeat(a.Stderr, repeat))
	if a.Raw != "" {
		s.out.raw(s.fill(strings.ReplaceAll(a.Raw, "$id", string(m.ID)), uri), repeat)
	}
	for _, ask := range a.Ask {
		s.send(ask, uri)
	}
	for _, note := range a.Notify {
		s.send(note, uri)
	}
	if m.ID != nil && !a.NoReply {
		s.reply(a, m, uri, cancelled)
	}
	s.end(a)
}

func (s *server) send(m Message, uri string) {
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		envelope
	}{"2.0", envelope{ID: m.ID, Method: m.Method, Params: m.Params}})
	if err != nil {
		panic(err) // a script that no test should have
	}
	s.out.frame(s.fill(string(body), uri))
}

// delay reports false when a cancel cut it short.
func (s *server) delay(a Action, m envelope) bool {
	if a.DelayMS == 0 {
		return true
	}
	s.mu.Lock()
	cancelled := s.cancelled[string(m.ID)]
	s.mu.Unlock()
	select {
	case <-time.After(time.Duration(a.DelayMS) * time.Millisecond):
		return true
	case <-cancelled:
		return false
	}
}

func (s *server) reply(a Action, m envelope, uri string, cancelled bool) {
	var answer string
	switch {
	case cancelled:
		answer = `"error":{"code":-32800,"message":"cancelled"}`
	case a.Reply != "":
		s.out.frame(s.fill(strings.ReplaceAll(a.Reply, "$id", string(m.ID)), uri))
		return
	case a.Error != nil:
		answer = `"error":` + string(a.Error)
	case a.Result != nil:
		answer = `"result":` + string(a.Result)
	case a.Locations > 0:
		answer = `"result":` + manyLocations(a.Locations)
	default:
		answer = s.usual(m.Method, uri)
	}
	if a.Pad > 0 {
		answer = `"pad":"` + strings.Repeat("x", a.Pad) + `",` + answer
	}
	id := `"id":` + string(m.ID)
	body := `{"jsonrpc":"2.0",` + id + `,` + s.fill(answer, uri) + `}`
	if a.IDLast {
		body = `{"jsonrpc":"2.0",` + s.fill(answer, uri) + `,` + id + `}`
	}
	s.out.frame(body)
}

func manyLocations(n int) string {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `,{"uri":"$uri","range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}}`, i, i)
	}
	return "[" + list.String()[1:] + "]"
}

const usualCapabilities = `{"textDocumentSync":{"openClose":true,"change":1},` +
	`"definitionProvider":true,"referencesProvider":true,"implementationProvider":true,"hoverProvider":true}`

// usual is the reply of a well-behaved server.
func (s *server) usual(method, uri string) string {
	location := func(line int) string {
		return fmt.Sprintf(`{"uri":"$uri","range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}}`, line, line)
	}
	if _, open := s.open[uri]; s.script.RequireOpen && !open && strings.HasPrefix(method, "textDocument/") {
		return `"error":{"code":-32000,"message":"the document is not open"}`
	}
	switch method {
	case "initialize":
		capabilities := string(s.script.Capabilities)
		if capabilities == "" {
			capabilities = usualCapabilities
		}
		return `"result":{"capabilities":` + capabilities + `}`
	case "shutdown":
		return `"result":null`
	case "textDocument/definition":
		return `"result":` + location(0)
	case "textDocument/references":
		return `"result":[` + location(0) + `,` + location(1) + `]`
	case "textDocument/implementation":
		return `"result":[` + location(2) + `]`
	case "textDocument/hover":
		return `"result":{"contents":{"kind":"markdown","value":"fake"}}`
	}
	return `"error":{"code":-32601,"message":"no such method"}`
}

func (s *server) end(a Action) {
	if a.CloseOut {
		os.Stdout.Close()
	}
	if a.CloseInput {
		os.Stdin.Close()
	}
	if a.Exit != nil {
		os.Exit(*a.Exit)
	}
	if a.Hang {
		close(s.hung)
		forever()
	}
}
