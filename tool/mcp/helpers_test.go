package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// provider answers in the place of a host.
type provider func(ctx context.Context, request seam.Request) (seam.Result, error)

func (p provider) Query(ctx context.Context, request seam.Request) (seam.Result, error) {
	return p(ctx, request)
}

// knows answers every question at once.
func knows(context.Context, seam.Request) (seam.Result, error) {
	return seam.HoverResult{Hover: &seam.Hover{Contents: "it is known"}, Completeness: seam.Complete}, nil
}

// held answers when it is released, or says that it was cancelled.
type held struct {
	asked   chan seam.Request
	release chan struct{}
	ended   chan error
}

func newHeld() *held {
	return &held{make(chan seam.Request, 1000), make(chan struct{}), make(chan error, 1000)}
}

func (h *held) query(ctx context.Context, request seam.Request) (seam.Result, error) {
	h.asked <- request
	select {
	case <-h.release:
		h.ended <- nil
		return knows(ctx, request)
	case <-ctx.Done():
		h.ended <- seam.ContextError(ctx)
		return nil, seam.ContextError(ctx)
	}
}

// project makes a workspace with one file.
func project(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.fake"), []byte("text here\n"), 0o600))
	return dir
}

// serverOf serves a provider in a workspace of its own, and ends with the test.
func serverOf(t *testing.T, p provider, change ...func(*Options)) *Server {
	t.Helper()
	made := tool.New(p, tool.Config{MaxLocations: 100, MaxResultChars: 16000, Timeout: time.Minute, MaxSourceBytes: 1 << 20})
	options := Options{
		Version: "1.2.3",
		Tool:    func(context.Context) (*tool.Tool, error) { return made, nil },
		Folders: Folders{Fallback: []string{project(t)}},
	}
	for _, c := range change {
		c(&options)
	}
	s := New(options)
	t.Cleanup(func() {
		s.Close()
		made.Close()
	})
	return s
}

// rawClient speaks in lines.
type rawClient struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	over chan error // of ServeStdio
	end  context.CancelFunc
	hear *io.PipeReader
}

// rawSession begins a session without a handshake.
func rawSession(t *testing.T, s *Server, gone func() bool) *rawClient {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	c := &rawClient{t: t, in: inWrite, out: bufio.NewReader(outRead), over: make(chan error, 1), end: cancel, hear: outRead}
	go func() {
		c.over <- s.ServeStdio(ctx, Stdio{In: inRead, Out: outWrite, Gone: gone})
		_ = outWrite.Close()
		close(c.over)
	}()
	t.Cleanup(func() {
		cancel()
		_ = inWrite.Close()
		_ = outRead.Close()
		for range c.over {
		}
	})
	return c
}

func (c *rawClient) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		_, err := io.WriteString(c.in, line+"\n")
		require.NoError(c.t, err)
	}
}

func (c *rawClient) read() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	require.NoError(c.t, err)
	return line
}

// reply is any message of the server.
type reply struct {
	ID     any
	Method string
	Params map[string]any
	Result *sdk.CallToolResult
	Error  *struct {
		Code    int
		Message string
	}
}

func (c *rawClient) receive() reply {
	c.t.Helper()
	var r reply
	require.NoError(c.t, json.Unmarshal([]byte(c.read()), &r))
	return r
}

// answer skips notifications.
func (c *rawClient) answer() reply {
	c.t.Helper()
	for {
		if r := c.receive(); r.Method == "" {
			return r
		}
	}
}

// ping proves that the session lives.
func (c *rawClient) ping() {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
	require.JSONEq(c.t, `{"jsonrpc":"2.0","id":"alive","result":{}}`, c.read())
}

func (c *rawClient) begin(capabilities string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + capabilities +
		`,"clientInfo":{"name":"test","version":"1"}}}`)
	require.Equal(c.t, "hello", c.receive().ID)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

const question = `{"operation":"hover","file_path":"a.fake","line":1,"character":1}`

func call(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"lsp","arguments":` + question + `}}`
}

// codeOf is the code of a failed call, as programs read it.
func codeOf(t *testing.T, result *sdk.CallToolResult) seam.Code {
	t.Helper()
	require.True(t, result.IsError)
	text, err := json.Marshal(result.Meta[metaKey])
	require.NoError(t, err)
	var meta struct{ Error struct{ Code seam.Code } }
	require.NoError(t, json.Unmarshal(text, &meta))
	require.NotEmpty(t, meta.Error.Code, "%s", text)
	return meta.Error.Code
}

func textOf(t *testing.T, result *sdk.CallToolResult) string {
	t.Helper()
	require.Len(t, result.Content, 1)
	text, ok := result.Content[0].(*sdk.TextContent)
	require.True(t, ok)
	return text.Text
}

// client connects the library's own client over pipes.
func client(t *testing.T, s *Server, made *sdk.Client, version string) *sdk.ClientSession {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- s.ServeStdio(context.Background(), Stdio{In: inRead, Out: outWrite})
		_ = outWrite.Close()
	}()
	session, err := made.Connect(t.Context(), &sdk.IOTransport{Reader: outRead, Writer: inWrite}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = session.Close()
		_ = inWrite.Close()
		require.NoError(t, <-over)
	})
	return session
}

func newClient(options *sdk.ClientOptions) *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options)
}

func ask(ctx context.Context, session *sdk.ClientSession) (*sdk.CallToolResult, error) {
	return session.CallTool(ctx, &sdk.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(question)})
}
