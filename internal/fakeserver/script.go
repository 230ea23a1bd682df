package fakeserver

import (
	"encoding/json"
	"errors"
)

// Script says how the server behaves. It is data, and travels as one argument.
type Script struct {
	// Capabilities of the initialize reply. Nil: the four operations, and documents
	// that open, close and change.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`

	// On says what happens at the first, second, … message of a method; the last action
	// repeats. "start" is before anything is read, "eof" the end of the input, and ""
	// any request that is neither listed nor known to a well-behaved server.
	On map[string][]Action `json:"on,omitempty"`

	Log           string `json:"log,omitempty"`          // file that gets a line for each event
	RequireOpen   bool   `json:"requireOpen,omitempty"`  // questions about documents that are not open fail
	IgnoreCancel  bool   `json:"ignoreCancel,omitempty"` // a cancelled request runs its delay to the end
	IgnoreEOF     bool   `json:"ignoreEof,omitempty"`
	IgnoreExit    bool   `json:"ignoreExit,omitempty"`
	IgnoreSignals bool   `json:"ignoreSignals,omitempty"` // SIGTERM, SIGINT, SIGHUP; not under Run
	Helper        string `json:"helper,omitempty"`        // "group" or "session": a child there that ignores signals too
	HelperHolds   bool   `json:"helperHolds,omitempty"`   // the helper keeps stdout and stderr open

	// Again is how every process but the first behaves: the log tells them of each other.
	// Its own Log and Again do not count.
	Again *Script `json:"again,omitempty"`
}

// Action is what happens at one message, in this order. Zero values do nothing. All text
// may hold $id and $uri (the request's and its document's), $root, and $text and $version
// (of the document as the server knows it), as they stand in JSON, and $xff, the byte 0xFF
// that no UTF-8 has.
type Action struct {
	DelayMS    int             `json:"delayMs,omitempty"` // a cancel ends it with -32800
	Stderr     string          `json:"stderr,omitempty"`
	Raw        string          `json:"raw,omitempty"`    // for stdout, without a frame
	Bytes      []byte          `json:"bytes,omitempty"`  // the same for what is no text, as it is
	Repeat     int             `json:"repeat,omitempty"` // of Stderr, Raw and Bytes
	Ask        []Message       `json:"ask,omitempty"`    // requests, each sent with its ID
	Notify     []Message       `json:"notify,omitempty"`
	Await      bool            `json:"await,omitempty"`  // go on when all of Ask are answered
	Frames     []string        `json:"frames,omitempty"` // whole bodies, sent before the reply
	Result     json.RawMessage `json:"result,omitempty"`
	Error      json.RawMessage `json:"error,omitempty"`
	Reply      string          `json:"reply,omitempty"`      // the whole body
	Locations  int             `json:"locations,omitempty"`  // a result of that many
	Pad        int             `json:"pad,omitempty"`        // bytes of padding in the reply
	IDLast     bool            `json:"idLast,omitempty"`     // the id comes after the padding
	Header     string          `json:"header,omitempty"`     // of all frames, $length is the right one
	ChunkBytes int             `json:"chunkBytes,omitempty"` // all frames go out in pieces of that size, a millisecond apart
	NoReply    bool            `json:"noReply,omitempty"`
	LingerMS   int             `json:"lingerMs,omitempty"` // a pause after the reply
	CloseInput bool            `json:"closeInput,omitempty"`
	CloseOut   bool            `json:"closeOut,omitempty"`
	Exit       *int            `json:"exit,omitempty"`
	Hang       bool            `json:"hang,omitempty"` // read no more, ever
}

// Message is a request or a notification of the server.
type Message struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
	Pad     int             `json:"pad,omitempty"`     // bytes of padding
	DelayMS int             `json:"delayMs,omitempty"` // sent later, while the server goes on
}

// Raw makes a json.RawMessage of a literal.
func Raw(text string) json.RawMessage { return json.RawMessage(text) }

// Exit makes an exit status for Action.Exit.
func Exit(status int) *int { return &status }

// present is the script of the process that starts now: the first that the log knows of, or a
// later one.
func (s Script) present() (Script, error) {
	again := s.Again
	s.Again = nil
	if again == nil {
		return s, nil
	}
	if s.Log == "" {
		return s, errors.New("again needs a log")
	}
	events, err := ReadLog(s.Log)
	if err != nil || Count(events, "start") == 0 {
		return s, err
	}
	later := *again
	later.Log, later.Again = s.Log, nil
	return later, nil
}
