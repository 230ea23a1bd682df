package langserver

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// seen is a script whose hover shows the document as the server knows it.
func seen() fakeserver.Script {
	return fakeserver.Script{
		RequireOpen: true,
		On:          on("textDocument/hover", fakeserver.Action{Result: raw(`{"contents":"$version:$text"}`)}),
	}
}

// what is sent, and that nothing is said to be complete for each operation, with everything open before.
func TestRequests(t *testing.T) {
	for op, method := range operationMethods {
		t.Run("A-139 "+method, func(t *testing.T) {
			h := begin(t, fakeserver.Script{RequireOpen: true}, nil)
			<-h.server.Started()
			q := h.query("a.go", seam.Operation(op))
			q.Position = seam.Position{Line: 2, Character: 4}
			result, err := h.server.Query(t.Context(), q)
			require.NoError(t, err)
			if found, ok := result.(seam.Locations); ok {
				require.Equal(t, h.view.Root().URI(), found.WorkspaceURI)
				require.Equal(t, seam.Unknown, found.Completeness)
				require.Equal(t, q.Source.URI, found.Items[0].URI)
			}
			open := h.wait("textDocument/didOpen", 1)[0]
			require.JSONEq(t, `{"textDocument":{"uri":"`+q.Source.URI+`","languageId":"go","version":1,"text":"package a\n\nvar x = 1\n"}}`, string(open.Params))
			want := `{"textDocument":{"uri":"` + q.Source.URI + `"},"position":{"line":2,"character":4}`
			if seam.Operation(op) == seam.OpFindReferences {
				want += `,"context":{"includeDeclaration":true}`
			}
			require.JSONEq(t, want+`}`, string(h.wait(method, 1)[0].Params))
		})
	}
}

// A-133 corrected: an open document is left alone while it is unchanged, and gets its new
// full text when it changed.
func TestLease(t *testing.T) {
	h := begin(t, seen(), nil)
	require.Equal(t, "1:package a\n\nvar x = 1\n", h.hover("a.go"))
	require.Equal(t, "1:package a\n\nvar x = 1\n", h.hover("a.go"))
	h.write("a.go", "package a // 😀\n")
	require.Equal(t, "2:package a // 😀\n", h.hover("a.go"))
	require.JSONEq(t, `{"textDocument":{"uri":"`+h.query("a.go", 0).Source.URI+`","version":2},"contentChanges":[{"text":"package a // 😀\n"}]}`,
		string(h.wait("textDocument/didChange", 1)[0].Params))
	h.wait("textDocument/didOpen", 1)
	require.Zero(t, fakeserver.Count(h.events(), "textDocument/didClose"))
}

// Every open document follows the disk before any query, not only the one asked about.
func TestOthersAreRefreshed(t *testing.T) {
	h := begin(t, seen(), nil)
	for _, name := range []string{"b.go", "c.go", "d.go", "e.go"} {
		h.write(name, "package "+name[:1]+"\n")
		h.hover(name)
	}
	h.write("b.go", "package B\n") // of the same length, in the same second
	require.NoError(t, os.Remove(filepath.Join(h.dir, "c.go")))
	h.write("d.go", "package \x00\n")
	h.hover("a.go")
	change := h.wait("textDocument/didChange", 1)[0]
	require.Contains(t, string(change.Params), "package B")
	closed := h.wait("textDocument/didClose", 2)
	require.Contains(t, string(closed[0].Params)+string(closed[1].Params), "/c.go")
	require.Contains(t, string(closed[0].Params)+string(closed[1].Params), "/d.go")
	require.Equal(t, 3, h.server.Status().Documents) // a, b, e
}

// A replaced symlink does not keep the text of what it led to.
func TestReplacedByLink(t *testing.T) {
	h := begin(t, seen(), nil)
	h.write("b.go", "package b\n")
	h.hover("b.go")
	outside := filepath.Join(t.TempDir(), "secret.go")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(h.dir, "b.go")))
	require.NoError(t, os.Symlink(outside, filepath.Join(h.dir, "b.go")))
	h.hover("a.go")
	require.Contains(t, string(h.wait("textDocument/didClose", 1)[0].Params), "/b.go")
	for _, e := range h.events() {
		require.NotContains(t, string(e.Params), "secret")
	}
}

// One that became a link to another file of the workspace is closed with the text of now.
func TestBecameALink(t *testing.T) {
	h := begin(t, seen(), nil)
	h.write("b.go", "package b\n")
	h.hover("b.go")
	h.write("store", "package c\n")
	require.NoError(t, os.Remove(filepath.Join(h.dir, "b.go")))
	require.NoError(t, os.Symlink(filepath.Join(h.dir, "store"), filepath.Join(h.dir, "b.go")))
	h.hover("a.go")
	changed := string(h.wait("textDocument/didChange", 1)[0].Params)
	require.Contains(t, changed, "/b.go")
	require.Contains(t, changed, "package c")
	require.Contains(t, string(h.wait("textDocument/didClose", 1)[0].Params), "/b.go")
}

func TestWithoutChangeSupport(t *testing.T) {
	script := seen()
	script.Capabilities = raw(`{"textDocumentSync":{"openClose":true},"hoverProvider":true}`)
	h := begin(t, script, nil)
	h.hover("a.go")
	h.write("a.go", "new\n")
	require.Equal(t, "1:new\n", h.hover("a.go"))
	h.wait("textDocument/didClose", 1)
	h.wait("textDocument/didOpen", 2)
}

func TestOpenDocumentsAreBounded(t *testing.T) {
	h := begin(t, seen(), func(c *Config) { c.OpenDocuments = 2 })
	h.write("b.go", "b")
	h.write("c.go", "c")
	h.hover("a.go")
	h.hover("b.go")
	h.hover("a.go")
	h.hover("c.go") // b.go was not used for the longest time
	require.Contains(t, string(h.wait("textDocument/didClose", 1)[0].Params), "/b.go")
	require.Equal(t, 2, h.server.Status().Documents)
	h.server.CloseDocuments()
	h.wait("textDocument/didClose", 3)
	require.Zero(t, h.server.Status().Documents)
	require.Equal(t, "1:c", h.hover("c.go"))
}

// transient documents are opened and closed around each query,
// whether it succeeds or fails, always with version 1.
func TestTransient(t *testing.T) {
	script := fakeserver.Script{RequireOpen: true, On: on(
		"textDocument/hover",
		fakeserver.Action{Result: raw(`{"contents":"$version:$text"}`)},
		fakeserver.Action{Error: raw(`{"code":1,"message":"no"}`)},
		fakeserver.Action{Result: raw(`{"contents":"$version:$text"}`)},
	)}
	h := begin(t, script, func(c *Config) { c.Documents = Transient })
	require.Equal(t, "1:package a\n\nvar x = 1\n", h.hover("a.go"))
	_, err := h.ask("a.go", seam.OpHover)
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
	h.write("a.go", "new\n")
	require.Equal(t, "1:new\n", h.hover("a.go"))
	h.wait("textDocument/didClose", 3)
	require.Equal(t, []string{
		"textDocument/didOpen", "textDocument/hover", "textDocument/didClose",
		"textDocument/didOpen", "textDocument/hover", "textDocument/didClose",
		"textDocument/didOpen", "textDocument/hover", "textDocument/didClose",
	}, h.methods()[3:])
	require.Zero(t, fakeserver.Count(h.events(), "textDocument/didChange"))
}

// a close that cannot be written does not replace the answer that is there.
func TestFailingClose(t *testing.T) {
	script := fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{CloseInput: true})}
	h := begin(t, script, func(c *Config) {
		c.Documents = Transient
		c.ShutdownTimeout = 200 * time.Millisecond // nobody reads the shutdown
	})
	require.Equal(t, "fake", h.hover("a.go"))
	h.stop()
	require.NoError(t, h.server.LeftErr())
}

// Another language for the same file is another document to the server.
func TestLanguageChange(t *testing.T) {
	h := begin(t, seen(), nil)
	h.hover("a.go")
	q := h.query("a.go", seam.OpHover)
	q.LanguageID = "other"
	_, err := h.server.Query(t.Context(), q)
	require.NoError(t, err)
	require.Contains(t, string(h.wait("textDocument/didOpen", 2)[1].Params), `"languageId":"other"`)
	h.wait("textDocument/didClose", 1)
}
