//lint:file-ignore SA1019 the protocol gives roots up, but they are what clients have

package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

func addRoots(c *sdk.Client, uris ...string) {
	for _, uri := range uris {
		c.AddRoots(&sdk.Root{URI: uri})
	}
}

// whereAsked notes the workspace of each question.
type whereAsked struct{ roots chan string }

func (w whereAsked) query(ctx context.Context, request seam.Request) (seam.Result, error) {
	w.roots <- request.WorkspaceRoot
	return knows(ctx, request)
}

func newWhereAsked() whereAsked { return whereAsked{make(chan string, 1000)} }

// The folders of a client come before those that the process guessed.
func TestRoots(t *testing.T) {
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			w, first, second := newWhereAsked(), project(t), project(t)
			c := newClient(nil)
			addRoots(c, "https://example.com/", workspace.FileURI(first))
			session := client(t, serverOf(t, w.query), c, version)
			for range 3 {
				result, err := ask(t.Context(), session)
				require.NoError(t, err)
				require.False(t, result.IsError, "%v", result.Content)
				require.Equal(t, first, <-w.roots)
			}
			addRoots(c, workspace.FileURI(second))
			c.RemoveRoots(workspace.FileURI(first))
			require.Eventually(t, func() bool { // the news and a call may pass each other
				result, err := ask(t.Context(), session)
				return err == nil && !result.IsError && <-w.roots == second
			}, 10*time.Second, 10*time.Millisecond)
		})
	}
}

// A client is asked once, however many calls wait for it.
func TestRootsAreAskedOnce(t *testing.T) {
	w, dir := newWhereAsked(), project(t)
	c := rawSession(t, serverOf(t, w.query), nil)
	c.begin(`{"roots":{"listChanged":true}}`)
	const calls = 10
	for i := range calls {
		c.send(call(strconv.Itoa(i)))
	}
	asked := c.receive()
	require.Equal(t, "roots/list", asked.Method)
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{
		"roots": []any{nil, map[string]any{"uri": workspace.FileURI(dir)}},
	}})
	require.NoError(t, err)
	c.send(string(answer))
	for range calls {
		require.NotNil(t, c.receive().Result)
		require.Equal(t, dir, <-w.roots)
	}
}

// A client that says that it has roots and does not name them has none, after a while.
func TestRootsThatDoNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, fallback := newWhereAsked(), project(t)
		c := rawSession(t, serverOf(t, w.query, func(o *Options) { o.Folders = Folders{Fallback: []string{fallback}} }), nil)
		c.begin(`{"roots":{}}`)
		c.send(call(`1`))
		require.Equal(t, "roots/list", c.receive().Method)
		began := time.Now()
		require.NotNil(t, c.answer().Result)
		require.Equal(t, rootsLimit, time.Since(began))
		require.Equal(t, fallback, <-w.roots)
		c.send(call(`2`))
		require.NotNil(t, c.answer().Result)
		require.Equal(t, rootsLimit, time.Since(began), "the second call does not wait again")
	})
}

// When a client has closed its side it cannot be asked any more, and nobody waits for it.
func TestRootsAfterTheEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, fallback := newWhereAsked(), project(t)
		c := rawSession(t, serverOf(t, w.query, func(o *Options) { o.Folders = Folders{Fallback: []string{fallback}} }), nil)
		c.begin(`{"roots":{}}`)
		c.send(call(`1`))
		require.Equal(t, "roots/list", c.receive().Method)
		began := time.Now()
		require.NoError(t, c.in.Close())
		require.False(t, c.receive().Result.IsError)
		require.Equal(t, fallback, <-w.roots)
		require.NoError(t, <-c.over)
		require.Zero(t, time.Since(began))
	})
}

// Whoever named the workspace is believed, and the client is not asked.
func TestNamedFolder(t *testing.T) {
	w, named := newWhereAsked(), project(t)
	c := rawSession(t, serverOf(t, w.query, func(o *Options) { o.Folders.Named = []string{named} }), nil)
	c.begin(`{"roots":{}}`)
	c.send(call(`1`))
	require.False(t, c.receive().Result.IsError)
	require.Equal(t, named, <-w.roots)
}

// without any folder the model is told so, unless its arguments are wrong
// already.
func TestNoWorkspace(t *testing.T) {
	c := rawSession(t, serverOf(t, knows, func(o *Options) { o.Folders = Folders{} }), nil)
	c.begin(`{}`)
	c.send(call(`1`))
	require.Equal(t, seam.CodeWorkspaceRequired, codeOf(t, c.receive().Result))
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lsp","arguments":{"operation":"hover"}}}`)
	require.Equal(t, seam.CodeInvalidArgs, codeOf(t, c.receive().Result))
}

// A workspace that disappears is an error, and one that comes back is not.
func TestWorkspaceThatDisappears(t *testing.T) {
	var dir atomic.Value
	s := serverOf(t, knows, func(o *Options) { dir.Store(o.Folders.Fallback[0]) })
	c := rawSession(t, s, nil)
	c.begin(`{}`)
	there := func() *sdk.CallToolResult {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lsp","arguments":{"operation":"hover","file_path":"a.fake","line":1,"symbol":"here"}}}`)
		return c.receive().Result
	}
	require.False(t, there().IsError)
	require.NoError(t, os.RemoveAll(dir.Load().(string)))
	require.Equal(t, seam.CodeWorkspaceRequired, codeOf(t, there()))
	require.NoError(t, os.Mkdir(dir.Load().(string), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir.Load().(string), "a.fake"), []byte("text here\n"), 0o600))
	require.False(t, there().IsError)
}
