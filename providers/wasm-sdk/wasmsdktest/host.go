//go:build !wasip1

package wasmsdktest

import (
	"io/fs"
	"net/http"
	"testing"
	"time"

	"github.com/navseam/navseam/abi"
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
	"github.com/navseam/navseam/seam"
)

// Host is a deployment and a workspace, as one module sees them. Its calls run one after
// another, as those of one instance do; tests that run in parallel wait for each other.
type Host struct {
	Documents map[string]string // texts by their path from the workspace on, without byte-order mark
	Language  string            // language id of all of them
	Config    string            // JSON; {} if empty
	Remaining time.Duration     // what a call is told; two seconds if zero

	// What is nil is not granted.
	Mounts map[string]fs.FS  // by name; "workspace" is not there by itself
	HTTP   http.Handler      // answers every request
	Cache  map[string][]byte // what was put before, and what is put now

	files []*openFile // by handle, from 1 on
}

// Answer is what a call came to.
type Answer struct {
	Status     abi.Status
	Message    string // why the status is not [abi.Done]
	Locations  []wasmsdk.Location
	Hover      *seam.Hover // nil is nothing to show
	Incomplete bool
	Log        []Line
}

// Line is one of the log.
type Line struct {
	Level wasmsdk.Level
	Text  string
}

// Ask calls an exported operation for a place in one of the documents. An answer that a host
// would refuse is an error of the test; as with a host, no results come with a status other
// than [abi.Done].
func (h *Host) Ask(t testing.TB, operation func(line, character uint32) int32, path string, p seam.Position) Answer {
	t.Helper()
	text, found := h.Documents[path]
	if !found {
		t.Fatalf("there is no document %q in this host", path)
	}
	if err := seam.CheckPosition(text, p); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return h.run(t, &call{host: h, path: path, text: text}, func() int32 {
		return operation(uint32(p.Line), uint32(p.Character))
	})
}

// Load calls the exported function load.
func (h *Host) Load(t testing.TB, load func() int32) Answer {
	t.Helper()
	return h.run(t, &call{host: h, loading: true}, load)
}

func (h *Host) run(t testing.TB, c *call, export func() int32) Answer {
	t.Helper()
	hostcall.Serve(c, func() { c.answer.Status = abi.Status(export()) })
	if c.answer.Status != abi.Done {
		return Answer{Status: c.answer.Status, Message: c.answer.Message, Log: c.answer.Log}
	}
	c.checkAnswer(t)
	return c.answer
}
