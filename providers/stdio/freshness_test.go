package stdio

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// fresh is what the tests begin with: all is told, nothing else is done.
func fresh(change func(*Freshness)) func(*Config) {
	return func(c *Config) {
		c.ReadyWhen.Answers = true
		c.Freshness = Freshness{Notify: true, TouchLimit: 64, Skip: []string{"skipped"}, Events: true}
		if change != nil {
			change(&c.Freshness)
		}
	}
}

// told lists what the server was told of files, in short: 1 created, 2 changed, 3 deleted.
func (h *harness) told() []string {
	h.t.Helper()
	words := []string{}
	for _, e := range h.events() {
		if e.Method != "workspace/didChangeWatchedFiles" {
			continue
		}
		var params struct {
			Changes []struct {
				URI  string
				Type json.Number
			}
		}
		require.NoError(h.t, json.Unmarshal(e.Params, &params))
		for _, c := range params.Changes {
			words = append(words, string(c.Type)+c.URI[strings.LastIndexByte(c.URI, '/'):])
		}
	}
	return words
}

func (h *harness) completeness(op seam.Operation) seam.Completeness {
	h.t.Helper()
	result, err := h.ask(h.t.Context(), op)
	require.NoError(h.t, err)
	switch answer := result.(type) {
	case seam.Locations:
		return answer.Completeness
	default:
		return answer.(seam.HoverResult).Completeness
	}
}

func (h *harness) path(name string) string { return filepath.Join(h.dir, name) }

// What changed on disk is told before the next question: what the server serves, what the
// deployment names, and what the server registered for.
func TestToldOfChanges(t *testing.T) {
	registered := fakeserver.Message{ID: fakeserver.Raw("1"), Method: "client/registerCapability", Params: fakeserver.Raw(`{"registrations":[
		{"id":"w","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[
			{"globPattern":"**/*.{tmpl,html}","kind":5},
			{"globPattern":{"baseUri":"$root","pattern":"only/*.txt"}},
			{"globPattern":7},{"globPattern":{"baseUri":"http://x","pattern":"*"}}
		]}}]}`)}
	script := fakeserver.Script{On: on("initialized", fakeserver.Action{Ask: []fakeserver.Message{registered}, Await: true})}
	for _, events := range []bool{true, false} {
		h := begin(t, script, fresh(func(f *Freshness) { f.Watch, f.Events = []string{"go.mod"}, events }))
		require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
		require.Empty(t, h.told())

		require.NoError(t, os.MkdirAll(h.path("skipped"), 0o700))
		require.NoError(t, os.MkdirAll(h.path("only"), 0o700))
		for _, name := range []string{"b.go", "go.mod", "x.tmpl", "only/x.txt", "x.txt", "README.md", "skipped/c.go"} {
			write(t, h.dir, name, "one")
		}
		h.completeness(seam.OpHover)
		require.Equal(t, []string{"1/b.go", "1/go.mod", "1/x.txt", "1/x.tmpl"}, h.told(), "by path")

		write(t, h.dir, "b.go", "two")
		write(t, h.dir, "x.tmpl", "two") // registered for creation and deletion
		h.completeness(seam.OpHover)
		require.Equal(t, []string{"2/b.go"}, h.told()[4:])

		require.NoError(t, os.Remove(h.path("b.go")))
		require.NoError(t, os.Remove(h.path("x.tmpl")))
		require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
		require.Equal(t, []string{"3/b.go", "3/x.tmpl"}, h.told()[5:])
		require.Len(t, h.starts(), 1)
		process := h.workspaceStatus().Processes[0]
		require.Equal(t, int64(7), process.Told)
		require.Equal(t, map[bool]string{true: "events", false: "sweep"}[events], h.workspaceStatus().Watch)
	}
}

// Folders are told to a server that registered for them, before what is in them; one that became
// another is told as gone and made.
func TestToldOfFolders(t *testing.T) {
	registered := fakeserver.Message{ID: fakeserver.Raw("1"), Method: "client/registerCapability", Params: fakeserver.Raw(
		`{"registrations":[{"id":"w","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/d"}]}}]}`,
	)}
	h := begin(t, fakeserver.Script{On: on("initialized", fakeserver.Action{Ask: []fakeserver.Message{registered}, Await: true})}, fresh(nil))
	h.completeness(seam.OpHover)
	require.NoError(t, os.MkdirAll(h.path("d/e"), 0o700))
	write(t, h.dir, "d/b.go", "x")
	h.completeness(seam.OpHover)
	require.Equal(t, []string{"1/d", "1/b.go"}, h.told())
	require.NoError(t, os.Rename(h.path("d"), h.path("x")))
	require.NoError(t, os.MkdirAll(h.path("d"), 0o700))
	h.completeness(seam.OpHover)
	require.Equal(t, []string{"3/d", "1/d", "3/b.go", "1/b.go"}, h.told()[2:])
}

// Touched files are opened, asked about once and closed, before the question.
func TestTouch(t *testing.T) {
	cases := []struct {
		touch Touch
		want  string
	}{
		{TouchNone, ""},
		{TouchFolders, ""},
		{TouchNew, "new.go"},
		{TouchAll, "new.go old.go"},
	}
	for _, c := range cases {
		h := begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.Touch = c.touch }))
		write(t, h.dir, "old.go", "package a\n")
		h.completeness(seam.OpHover)
		write(t, h.dir, "old.go", "package b\n")
		write(t, h.dir, "new.go", "package a\n")
		write(t, h.dir, "other.md", "x")
		write(t, h.dir, "a.go", "package c\n") // open anyway
		begun := len(h.events())
		require.Equal(t, seam.Complete, h.completeness(seam.OpGoToDefinition))
		opened, closed, asked := map[string]bool{}, map[string]bool{}, 0
		for _, e := range h.events()[begun:] {
			switch name := nameOf(t, e.Params); e.Method {
			case "textDocument/didOpen":
				opened[name] = true
			case "textDocument/hover":
				require.True(t, opened[name] && !closed[name], name)
				asked++
			case "textDocument/didClose":
				closed[name] = true
			}
		}
		want := map[string]bool{}
		for _, name := range strings.Fields(c.want) {
			want[name] = true
		}
		require.Equal(t, want, opened)
		require.Equal(t, want, closed)
		require.Equal(t, len(want), asked)
		require.Equal(t, 1, h.workspaceStatus().Processes[0].Documents)
	}
}

func nameOf(t *testing.T, params json.RawMessage) string {
	var p struct{ TextDocument struct{ URI string } }
	_ = json.Unmarshal(params, &p)
	return p.TextDocument.URI[strings.LastIndexByte(p.TextDocument.URI, '/')+1:]
}

// One file is enough of a folder that the server never saw.
func TestTouchFolders(t *testing.T) {
	h := begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.Touch, f.TouchLimit = TouchFolders, 2 }))
	h.completeness(seam.OpHover)
	for _, folder := range []string{"one", "two", "three"} {
		require.NoError(t, os.MkdirAll(h.path(folder), 0o700))
		for _, name := range []string{"a.md", "b.go", "c.go"} {
			write(t, h.dir, filepath.Join(folder, name), "x")
		}
	}
	require.Equal(t, seam.Incomplete, h.completeness(seam.OpHover), "three folders, and two touches")
	require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
	require.Equal(t, 1+3, h.count("textDocument/didOpen"))

	write(t, h.dir, "one/d.go", "x")
	require.NoError(t, os.MkdirAll(h.path("four"), 0o700))
	write(t, h.dir, "four/a.md", "x")
	h.completeness(seam.OpHover)
	require.Equal(t, 1+3, h.count("textDocument/didOpen"), "a folder that is known, and one that is none of the server's")
}

// A change of a file that the server reads only once needs a fresh process.
func TestRestartOn(t *testing.T) {
	h := begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.RestartOn = []string{"db*.json"} }))
	for i, change := range []func(){
		func() { write(t, h.dir, "db1.json", "one") },
		func() { write(t, h.dir, "db1.json", "two") },
		func() { require.NoError(t, os.Remove(h.path("db1.json"))) },
	} {
		h.completeness(seam.OpHover)
		require.Len(t, h.starts(), i+1)
		change()
		require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
		require.Len(t, h.starts(), i+2)
	}
	require.Empty(t, h.told(), "a process that is replaced is told nothing")
}

// A server that reads the workspace again when files came or went is not asked before it has
// said so; what the caller's deadline cuts off is waited for by the next one.
func TestSignalAfterAChange(t *testing.T) {
	found := fakeserver.Message{Method: "window/logMessage", Params: fakeserver.Raw(`{"message":"Found 2 files"}`)}
	late := found
	late.DelayMS = 400
	script := fakeserver.Script{On: map[string][]fakeserver.Action{
		"initialized":                     {{Notify: []fakeserver.Message{found}}},
		"workspace/didChangeWatchedFiles": {{Notify: []fakeserver.Message{late}}},
	}}
	h := begin(t, script, func(c *Config) {
		fresh(func(f *Freshness) { f.Watch = []string{"conf"} })(c)
		c.ReadyWhen = ReadyWhen{Log: "Found", AfterChange: true}
	})
	h.completeness(seam.OpHover)
	write(t, h.dir, "b.go", "x")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := h.ask(ctx, seam.OpHover)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.Equal(t, 1, h.count("textDocument/hover"))

	require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
	require.Equal(t, 2, h.count("textDocument/hover"))

	write(t, h.dir, "b.go", "y") // nothing to read again
	h.completeness(seam.OpHover)
	write(t, h.dir, "conf", "y")
	h.completeness(seam.OpHover)
	require.Equal(t, []string{"1/b.go", "2/b.go", "1/conf"}, h.told())
}

// More than may be touched in one query: the answers are incomplete until all are.
func TestTouchLimit(t *testing.T) {
	h := begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.Touch, f.TouchLimit = TouchAll, 2 }))
	h.completeness(seam.OpHover)
	for _, name := range []string{"b.go", "c.go", "d.go", "e.go", "f.go"} {
		write(t, h.dir, name, "x")
	}
	require.Equal(t, seam.Incomplete, h.completeness(seam.OpHover))
	require.Equal(t, int64(3), h.workspaceStatus().Processes[0].ToTouch)
	require.NoError(t, os.Remove(h.path("f.go"))) // perhaps one that was touched
	require.Equal(t, seam.Incomplete == h.completeness(seam.OpHover), h.workspaceStatus().Processes[0].ToTouch > 0)
	require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
	require.Zero(t, h.workspaceStatus().Processes[0].ToTouch)

	h = begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.Touch, f.TouchLimit, f.RestartOnMore = TouchAll, 2, true }))
	h.completeness(seam.OpHover)
	for _, name := range []string{"b.go", "c.go", "d.go"} {
		write(t, h.dir, name, "x")
	}
	require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
	require.Len(t, h.starts(), 2)
	require.Zero(t, h.workspaceStatus().Failures, "no failure of the server")
}

// A deletion that a server cannot be told of needs a fresh process.
func TestRestartOnDelete(t *testing.T) {
	h := begin(t, fakeserver.Script{}, fresh(func(f *Freshness) { f.RestartOnDelete = true }))
	write(t, h.dir, "b.go", "x")
	h.completeness(seam.OpHover)
	require.NoError(t, os.Remove(h.path("b.go")))
	require.Equal(t, seam.Complete, h.completeness(seam.OpHover))
	require.Len(t, h.starts(), 2)
	h.completeness(seam.OpHover)
	require.Len(t, h.starts(), 2)

	write(t, h.dir, "c.go", "x")
	h.completeness(seam.OpHover)
	require.NoError(t, os.Rename(h.path("c.go"), h.path("c.md")))
	h.completeness(seam.OpHover)
	require.Len(t, h.starts(), 3)
	require.NoError(t, os.Remove(h.path("c.md")))
	h.completeness(seam.OpHover)
	require.Len(t, h.starts(), 3, "none of its files")
}

// A place in a file that is gone shows that the server did not hear of it.
func TestPlaceInADeletedFile(t *testing.T) {
	place := fakeserver.Raw(`[{"uri":"$root/b.go","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]`)
	script := fakeserver.Script{On: on("textDocument/references", fakeserver.Action{Result: place})}
	h := begin(t, script, fresh(nil))
	write(t, h.dir, "b.go", "x")
	require.Equal(t, seam.Complete, h.completeness(seam.OpFindReferences))
	require.NoError(t, os.Remove(h.path("b.go")))
	h.completeness(seam.OpFindReferences)
	require.Len(t, h.starts(), 2, "and what the fresh one says counts")
}

// After a change an answer counts when two agree: for each operation by itself.
func TestSettledAgain(t *testing.T) {
	answers := []fakeserver.Action{
		{Result: fakeserver.Raw(`{"contents":"old"}`)},
		{Result: fakeserver.Raw(`{"contents":"old"}`)},
		{Result: fakeserver.Raw(`{"contents":"old"}`)},
		{Result: fakeserver.Raw(`{"contents":"new"}`)},
	}
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", answers...)}, fresh(func(f *Freshness) { f.Settle = 5 * time.Millisecond }))
	text, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "old", text)
	require.Equal(t, 2, h.count("textDocument/hover"))
	write(t, h.dir, "b.go", "x")
	text, err = h.hover(t.Context())
	require.NoError(t, err)
	require.Equal(t, "new", text, "the first answer after the change was the old one")
	require.Equal(t, 5, h.count("textDocument/hover"))
	require.Equal(t, seam.Complete, h.completeness(seam.OpFindReferences))
	require.Equal(t, 2, h.count("textDocument/references"))
	h.completeness(seam.OpFindReferences)
	require.Equal(t, 3, h.count("textDocument/references"))
}

// What is unsettled at the deadline of the caller is an answer, and incomplete. A caller that
// gives up gets none.
func TestUnsettledAtTheDeadline(t *testing.T) {
	script := fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Result: fakeserver.Raw(`{"contents":"a"}`)}, fakeserver.Action{NoReply: true})}
	h := begin(t, script, fresh(func(f *Freshness) { f.Settle = time.Millisecond }))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	result, err := h.ask(ctx, seam.OpHover)
	require.NoError(t, err)
	require.Equal(t, seam.HoverResult{Hover: &seam.Hover{Contents: "a"}, Completeness: seam.Incomplete}, result)

	h = begin(t, script, fresh(func(f *Freshness) { f.Settle = time.Millisecond }))
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		h.wait("textDocument/hover", 2)
		cancel()
	}()
	_, err = h.ask(ctx, seam.OpHover)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
}

// Providers that look at the same folders share a watch, which ends with the last of them.
func TestSharedWatch(t *testing.T) {
	pool := newPool(t, 8)
	one := beginIn(t, pool, fakeserver.Script{}, fresh(nil))
	two := beginIn(t, pool, fakeserver.Script{}, fresh(nil))
	other := beginIn(t, pool, fakeserver.Script{}, fresh(func(f *Freshness) { f.Skip = nil }))
	two.dir, other.dir = one.dir, one.dir
	for _, h := range []*harness{one, two, other} {
		h.completeness(seam.OpHover)
	}
	watches := func() int {
		pool.mu.Lock()
		defer pool.mu.Unlock()
		return len(pool.watches)
	}
	require.Equal(t, 2, watches())
	write(t, one.dir, "b.go", "x")
	for _, h := range []*harness{one, two, other} {
		h.completeness(seam.OpHover)
		require.Equal(t, []string{"1/b.go"}, h.told())
	}
	require.NoError(t, one.provider.Close(t.Context()))
	require.Equal(t, 2, watches())
	require.NoError(t, two.provider.Close(t.Context()))
	require.NoError(t, other.provider.Close(t.Context()))
	require.Zero(t, watches())
}
