package fakeserver

import (
	"encoding/json"
	"os"
)

// Script says how the server behaves. It is data, and travels as one argument.
type Script struct {
	// Capabilities of the initialize reply. Nil: the four operations, and documents
	// that open, close and change.
	Capabilities json.RawMessage `json:",omitempty"`

	// On says what happens at the first, second, … message of a method; the last action
	// repeats. "start" is before anything is read, and "eof" the end of the input.
	On map[string][]Action `json:",omitempty"`

	Log           string `json:",omitempty"` // file that gets a line for each event
	RequireOpen   bool   `json:",omitempty"` // questions about documents that are not open fail
	IgnoreCancel  bool   `json:",omitempty"` // a cancelled request runs its delay to the end
	IgnoreEOF     bool   `json:",omitempty"`
	IgnoreExit    bool   `json:",omitempty"`
	IgnoreSignals bool   `json:",omitempty"` // SIGTERM, SIGINT
	Helper        string `json:",omitempty"` // "group" or "session": a child that sleeps and ignores SIGTERM
}

// Action is what happens at one message, in this order. Zero values do nothing. Texts and
// results may hold $uri (the request's document), $root, $text and $version (of the
// document as the server knows it) and, in Reply, $id.
type Action struct {
	DelayMS    int             `json:",omitempty"` // a cancel ends it with -32800
	Stderr     string          `json:",omitempty"`
	Raw        string          `json:",omitempty"` // bytes for stdout, as they are
	Repeat     int             `json:",omitempty"` // of Stderr and Raw
	Ask        []Message       `json:",omitempty"` // requests, each sent with its ID
	Notify     []Message       `json:",omitempty"`
	Result     json.RawMessage `json:",omitempty"`
	Error      json.RawMessage `json:",omitempty"`
	Reply      string          `json:",omitempty"` // the whole body
	Locations  int             `json:",omitempty"` // a result of that many
	Pad        int             `json:",omitempty"` // bytes of padding in the reply
	IDLast     bool            `json:",omitempty"` // the id comes after the padding
	NoReply    bool            `json:",omitempty"`
	Hang       bool            `json:",omitempty"` // read no more, ever
	CloseInput bool            `json:",omitempty"`
	CloseOut   bool            `json:",omitempty"`
	Exit       *int            `json:",omitempty"`
}

// Message is a request or a notification of the server.
type Message struct {
	ID     json.RawMessage `json:",omitempty"`
	Method string
	Params json.RawMessage `json:",omitempty"`
}

// Raw makes a json.RawMessage of a literal.
func Raw(text string) json.RawMessage { return json.RawMessage(text) }

// Exit makes an exit status for Action.Exit.
func Exit(status int) *int { return &status }

const argument = "fakeserver"

// Command returns the path and the arguments that run the script.
func Command(s Script) (path string, args []string, err error) {
	path, err = os.Executable()
	if err != nil {
		return "", nil, err
	}
	script, err := json.Marshal(s)
	return path, []string{argument, string(script)}, err
}

// Main runs the server and ends the process when this process was started by [Command].
func Main() {
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case argument:
		var s Script
		if err := json.Unmarshal([]byte(os.Args[2]), &s); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(2)
		}
		os.Exit(run(s))
	case helperArgument:
		sleepForEver()
	}
}
