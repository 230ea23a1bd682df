package fakeserver

import "encoding/json"

// Script says how the server behaves. It is data, and travels as one argument.
type Script struct {
	// Capabilities of the initialize reply. Nil: the four operations, and documents
	// that open, close and change.
	Capabilities json.RawMessage `json:",omitempty"`

	// On says what happens at the first, second, … message of a method; the last action
	// repeats. "start" is before anything is read, "eof" the end of the input, and ""
	// any request that is neither listed nor known to a well-behaved server.
	On map[string][]Action `json:",omitempty"`

	Log           string `json:",omitempty"` // file that gets a line for each event
	RequireOpen   bool   `json:",omitempty"` // questions about documents that are not open fail
	IgnoreCancel  bool   `json:",omitempty"` // a cancelled request runs its delay to the end
	IgnoreEOF     bool   `json:",omitempty"`
	IgnoreExit    bool   `json:",omitempty"`
	IgnoreSignals bool   `json:",omitempty"` // SIGTERM, SIGINT, SIGHUP; not under Run
	Helper        string `json:",omitempty"` // "group" or "session": a child there that ignores signals too
	HelperHolds   bool   `json:",omitempty"` // the helper keeps stdout and stderr open
}

// Action is what happens at one message, in this order. Zero values do nothing. All text
// may hold $id and $uri (the request's and its document's), $root, and $text and $version
// (of the document as the server knows it), as they stand in JSON.
type Action struct {
	DelayMS    int             `json:",omitempty"` // a cancel ends it with -32800
	Stderr     string          `json:",omitempty"`
	Raw        string          `json:",omitempty"` // for stdout, without a frame
	Bytes      []byte          `json:",omitempty"` // the same for what is no text, as it is
	Repeat     int             `json:",omitempty"` // of Stderr, Raw and Bytes
	Ask        []Message       `json:",omitempty"` // requests, each sent with its ID
	Notify     []Message       `json:",omitempty"`
	Await      bool            `json:",omitempty"` // go on when all of Ask are answered
	Frames     []string        `json:",omitempty"` // whole bodies, sent before the reply
	Result     json.RawMessage `json:",omitempty"`
	Error      json.RawMessage `json:",omitempty"`
	Reply      string          `json:",omitempty"` // the whole body
	Locations  int             `json:",omitempty"` // a result of that many
	Pad        int             `json:",omitempty"` // bytes of padding in the reply
	IDLast     bool            `json:",omitempty"` // the id comes after the padding
	Header     string          `json:",omitempty"` // of all frames, $length is the right one
	NoReply    bool            `json:",omitempty"`
	CloseInput bool            `json:",omitempty"`
	CloseOut   bool            `json:",omitempty"`
	Exit       *int            `json:",omitempty"`
	Hang       bool            `json:",omitempty"` // read no more, ever
}

// Message is a request or a notification of the server.
type Message struct {
	ID      json.RawMessage `json:",omitempty"`
	Method  string
	Params  json.RawMessage `json:",omitempty"`
	Pad     int             `json:",omitempty"` // bytes of padding
	DelayMS int             `json:",omitempty"` // sent later, while the server goes on
}

// Raw makes a json.RawMessage of a literal.
func Raw(text string) json.RawMessage { return json.RawMessage(text) }

// Exit makes an exit status for Action.Exit.
func Exit(status int) *int { return &status }
