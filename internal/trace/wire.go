package trace

import (
	"bytes"
	"encoding/json"
	"time"
)

// Wire is one connection to a language server.
type Wire struct {
	log                 *Log
	provider, workspace string
	number              int64

	// Requests without a reply, of both sides. They belong to the goroutine that writes.
	sent, received map[string]asked
}

// asked is a request whose reply is to come.
type asked struct {
	method string
	at     time.Time
}

// maxAsked bounds what a peer that never answers can make us keep.
const maxAsked = 1024

// Wire begins a connection. A nil Log gives a nil Wire.
func (l *Log) Wire(provider, workspace string) *Wire {
	if l == nil {
		return nil
	}
	return &Wire{
		log:       l,
		provider:  provider,
		workspace: workspace,
		number:    l.wires.Add(1),
		sent:      map[string]asked{},
		received:  map[string]asked{},
	}
}

// Message passes on a message of that size. The body must not change any more; it is nil where
// nobody kept it.
func (w *Wire) Message(sent bool, body []byte, size int) {
	at := time.Now()
	w.log.add(len(body), func() any { return w.line(at, sent, body, size) })
}

// wireLine is a message.
type wireLine struct {
	Time       string   `json:"time"`
	Provider   string   `json:"provider"`
	Workspace  string   `json:"workspace"`
	Connection int64    `json:"connection"` // counted from 1 in this trace
	Direction  string   `json:"direction"`  // sent, received
	Kind       string   `json:"kind"`       // request, notification, reply, failure, unread
	ID         any      `json:"id,omitempty"`
	Method     string   `json:"method,omitempty"` // of a reply: that of its request
	Bytes      int      `json:"bytes"`
	Ms         *float64 `json:"ms,omitempty"` // of a reply: since its request
	Payload    any      `json:"payload,omitempty"`
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (w *Wire) line(at time.Time, sent bool, body []byte, size int) wireLine {
	h := &w.log.hidden
	line := wireLine{
		Time:       stamp(at),
		Provider:   h.label(w.provider),
		Workspace:  h.label(w.workspace),
		Connection: w.number,
		Direction:  "received",
		Kind:       "unread",
		Bytes:      size,
	}
	requests, replied := w.received, w.sent
	if sent {
		line.Direction = "sent"
		requests, replied = w.sent, w.received
	}
	var m message
	if body == nil || json.Unmarshal(body, &m) != nil {
		return line
	}
	id := string(bytes.Trim(m.ID, `"`))
	line.ID = h.payload(m.ID, scope{})
	if m.Method != nil {
		line.Kind, line.Method = "notification", *m.Method
		if m.ID != nil {
			line.Kind = "request"
			if len(requests) < maxAsked {
				requests[id] = asked{*m.Method, at}
			}
		}
		line.Payload = h.payload(m.Params, w.scope(*m.Method))
	} else {
		request, known := replied[id]
		delete(replied, id)
		if known {
			ms := float64(at.Sub(request.at).Microseconds()) / 1000
			line.Ms, line.Method = &ms, request.method
		}
		line.Kind = "reply"
		line.Payload = h.payload(m.Result, w.scope(request.method))
		if len(m.Error) > 0 && string(m.Error) != "null" {
			line.Kind = "failure"
			line.Payload = h.payload(m.Error, scope{})
		}
	}
	line.Method = h.label(line.Method)
	return line
}

// scope is what the method tells about the payload.
func (w *Wire) scope(method string) scope {
	switch method {
	case "workspace/configuration", "workspace/didChangeConfiguration":
		return scope{settings: true}
	case "$/progress", "window/workDoneProgress/create":
		return scope{progress: true}
	default:
		return scope{}
	}
}
