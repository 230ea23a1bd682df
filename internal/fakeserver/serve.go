package fakeserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// Exit statuses that no script asks for.
const (
	statusBadScript = 2
	statusStopped   = 3 // the context ended
)

// server is one run of a script. The worker carries out one message at a time and owns
// what is here; the reader goes on reading meanwhile, so that a cancel is seen.
type server struct {
	ctx    context.Context
	script Script
	stdin  io.ReadCloser
	stdout io.WriteCloser
	stderr io.WriteCloser
	out    *writer
	log    *logger
	input  *input

	counts map[string]int // actions that were due, by method
	root   string
	open   map[string]document
	down   bool // shutdown was asked
	deaf   bool // the script closed the input
	status *int // the run is over
}

// Run runs the script inside the caller's process and returns the exit status. It ends
// when the script does or when ctx does; then the caller closes the three files, as the
// end of a process would.
func Run(ctx context.Context, script Script, stdin io.ReadCloser, stdout, stderr io.WriteCloser) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	script, err := script.present()
	if err != nil {
		fmt.Fprintln(stderr, "fakeserver:", err)
		return statusBadScript
	}
	log, err := openLog(script.Log)
	if err != nil {
		fmt.Fprintln(stderr, "fakeserver:", err)
		return statusBadScript
	}
	defer log.close()
	s := &server{
		ctx: ctx, script: script,
		stdin: stdin, stdout: stdout, stderr: stderr,
		out: &writer{w: stdout}, log: log, input: newInput(ctx, script, log),
		counts: map[string]int{}, open: map[string]document{},
	}
	log.add(Event{Method: "start"})
	if script.Helper != "" {
		pid, err := startHelper(script)
		if err != nil {
			fmt.Fprintln(stderr, "fakeserver:", err)
			return statusBadScript
		}
		log.add(Event{Method: "helper", PID: pid})
	}
	return s.run()
}

func (s *server) run() int {
	s.act("start", envelope{})
	if s.status == nil {
		go s.input.read(s.stdin)
	}
	for s.status == nil {
		select {
		case m, more := <-s.input.messages:
			if more {
				s.handle(m)
			} else {
				s.handleEOF()
			}
		case <-s.ctx.Done():
			s.end(statusStopped)
		}
	}
	return *s.status
}

// end ends the run, unless something else did before.
func (s *server) end(status int) {
	if s.status == nil {
		s.status = &status
	}
}

// sleep does nothing more, ever.
func (s *server) sleep() {
	<-s.ctx.Done()
	s.end(statusStopped)
}

func (s *server) handle(m envelope) {
	switch m.Method {
	case "initialize":
		var p struct {
			RootURI string `json:"rootUri"`
		}
		_ = json.Unmarshal(m.Params, &p) // a bad root is no root
		s.root = p.RootURI
	case "shutdown":
		s.down = true
	}
	s.act(m.Method, m)
	s.input.settled(m.ID)
	if m.Method != "exit" || s.script.IgnoreExit {
		return
	}
	if s.down {
		s.end(0)
	}
	s.end(1)
}

func (s *server) handleEOF() {
	if s.deaf {
		s.sleep()
		return
	}
	s.log.add(Event{Method: "eof"})
	s.act("eof", envelope{})
	if s.script.IgnoreEOF && s.status == nil {
		s.sleep()
	}
	s.end(0)
}
