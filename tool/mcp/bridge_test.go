package mcp

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// bridged is a client on standard input and output of a bridge.
func bridged(t *testing.T, b Bridge) *rawClient {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	c := &rawClient{t: t, in: inWrite, out: bufio.NewReader(outRead), over: make(chan error, 1), end: cancel, hear: outRead}
	go func() {
		c.over <- b.Run(ctx, Stdio{In: inRead, Out: outWrite})
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

// throughBridge connects the library's own client to a bridge.
func throughBridge(t *testing.T, b Bridge, made *sdk.Client, version string) *sdk.ClientSession {
	t.Helper()
	c := bridged(t, b)
	session, err := made.Connect(t.Context(), &sdk.IOTransport{Reader: io.NopCloser(c.out), Writer: c.in}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = session.Close()
		require.NoError(t, <-c.over)
	})
	return session
}

// Ten agents share one server, each in a folder of its own, and see nothing of the bridge.
func TestTenBridges(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	s := serverOf(t, func(ctx context.Context, r seam.Request) (seam.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.WorkspaceRoot]++
		return knows(ctx, r)
	}, func(o *Options) { o.Folders = Folders{} })
	served := serve(t, s)
	versions := sdk.SupportedProtocolVersions()
	want := map[string]int{}
	var working sync.WaitGroup
	failures := make(chan error, 100)
	for i := range 10 {
		dir := project(t)
		want[dir] = 5
		c := newClient(nil)
		b := Bridge{URL: served.url, Token: secret}
		if i%2 == 0 { // its roots come through
			addRoots(c, workspace.FileURI(dir))
			b.Folders = Folders{Fallback: []string{project(t)}}
		} else {
			b.Folders = Folders{Named: []string{dir}}
		}
		session := throughBridge(t, b, c, versions[i/2%len(versions)])
		for range 5 {
			working.Go(func() {
				result, err := ask(t.Context(), session)
				if err == nil && result.IsError {
					err = result.GetError()
				}
				if err != nil {
					failures <- err
				}
			})
		}
	}
	working.Wait()
	require.Empty(t, failures)
	require.Equal(t, want, asked)
}

// The session ends with the bridge.
func TestBridgeLeaves(t *testing.T) {
	s := serverOf(t, knows)
	served := serve(t, s)
	c := bridged(t, Bridge{URL: strings.TrimSuffix(served.url, Path), Token: secret})
	c.begin(`{}`)
	c.send(call(`1`))
	require.NoError(t, c.in.Close())
	require.False(t, c.receive().Result.IsError)
	require.NoError(t, <-c.over)
	for range s.sdk.Sessions() {
		require.Fail(t, "a session is left")
	}
}

// A client that asks much at once gets it all; bad lines are answered on this side.
func TestBridgeIsAsRobust(t *testing.T) {
	served := serve(t, serverOf(t, knows))
	c := bridged(t, Bridge{URL: served.url, Token: secret})
	c.begin(`{}`)
	const many = 200
	go func() {
		for i := range many {
			_, _ = io.WriteString(c.in, call(strconv.Itoa(i))+"\nnonsense\n")
		}
	}()
	answered, refused := map[any]bool{}, 0
	for range 2 * many {
		switch got := c.receive(); {
		case got.Error != nil:
			require.Equal(t, -32700, got.Error.Code)
			refused++
		default:
			require.False(t, got.Result.IsError)
			answered[got.ID] = true
		}
	}
	require.Len(t, answered, many)
	require.Equal(t, many, refused)
	c.send(`{"jsonrpc":"2.0","id":"no","method":"textDocument/hover","params":{}}`)
	unknown := c.receive()
	require.Equal(t, "no", unknown.ID)
	require.NotNil(t, unknown.Error)
	const newer = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	c.send(`{"jsonrpc":"2.0","id":"no","method":"no\nheader","params":{` + newer + `}}`)
	require.NotNil(t, c.receive().Error)
	c.send(`{"jsonrpc":"2.0","id":"no","method":"tools/call","params":{"name":"l\u0000p",` + newer + `}}`)
	require.NotNil(t, c.receive().Error)
	c.ping()
}

// A cancel goes through, in both generations of the protocol.
func TestBridgeCancel(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			h := newHeld()
			served := serve(t, serverOf(t, h.query))
			session := throughBridge(t, Bridge{URL: served.url, Token: secret}, newClient(&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}), version)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-h.asked
				cancel()
			}()
			_, err := ask(ctx, session)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
		})
	}
}

// A server that is lost is an error of each call that is under way, and of the bridge.
func TestBridgeLosesTheServer(t *testing.T) {
	h := newHeld()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := &guard{server: serverOf(t, h.query), access: Access{Token: secret}}
	g.next = g.server.streamable()
	server := &http.Server{Handler: g, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	c := bridged(t, Bridge{URL: "http://" + listener.Addr().String(), Token: secret})
	c.begin(`{}`)
	c.send(call(`1`), call(`2`))
	<-h.asked
	<-h.asked
	require.NoError(t, server.Close())
	for range 2 {
		got := c.receive()
		require.NotNil(t, got.Error)
		require.Contains(t, got.Error.Message, listener.Addr().String())
	}
	err = <-c.over
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.ErrorContains(t, err, listener.Addr().String())
	g.server.closeSessions()
}

// So is one that is not there, that wants another token, or that was started anew.
func TestBridgeWithoutServer(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	served := serve(t, serverOf(t, knows))
	tests := map[string]struct {
		bridge Bridge
		says   string
	}{
		"nobody listens": {Bridge{URL: "http://" + gone.Addr().String(), Token: secret}, "refused"},
		"another token":  {Bridge{URL: served.url, Token: "another token entirely"}, "another token"},
		"another path":   {Bridge{URL: served.url + "/x", Token: secret}, Path},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := bridged(t, test.bridge)
			c.send(handshake)
			got := c.receive()
			require.NotNil(t, got.Error)
			require.Contains(t, got.Error.Message, test.says)
			err := <-c.over
			require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
			require.ErrorContains(t, err, test.says)
		})
	}
	t.Run("the session is unknown", func(t *testing.T) {
		s := serverOf(t, knows)
		served := serve(t, s)
		c := bridged(t, Bridge{URL: served.url, Token: secret})
		c.begin(`{}`)
		c.ping()
		s.closeSessions()
		c.send(call(`1`))
		require.Contains(t, c.receive().Error.Message, "session not found")
		require.ErrorContains(t, <-c.over, "session not found")
	})
}

func TestBridgeTarget(t *testing.T) {
	for given, want := range map[string]string{
		"http://127.0.0.1:7007":     "http://127.0.0.1:7007/mcp",
		"http://127.0.0.1:7007/":    "http://127.0.0.1:7007/mcp",
		"https://example.com/a/mcp": "https://example.com/a/mcp",
		"127.0.0.1:7007":            "",
		"localhost:7007":            "",
		"ftp://localhost":           "",
		"http://":                   "",
		"http://ann:pw@localhost":   "",
		"":                          "",
	} {
		got, err := Bridge{URL: given}.target()
		require.Equal(t, want, got)
		if want == "" {
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err), given)
		}
	}
}

// A token stays with the server that it was meant for.
func TestBridgeFollowsNoRedirect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var seen []string
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})}
	go func() { _ = server.Serve(listener) }()
	c := bridged(t, Bridge{URL: "http://" + listener.Addr().String(), Token: secret})
	c.send(handshake)
	require.Contains(t, c.receive().Error.Message, "307")
	require.Error(t, <-c.over)
	require.NoError(t, server.Close())
	require.Equal(t, []string{Path}, seen)
}

// At a signal the bridge ends, and its calls with it.
func TestBridgeEnd(t *testing.T) {
	h := newHeld()
	served := serve(t, serverOf(t, h.query))
	c := bridged(t, Bridge{URL: served.url, Token: secret})
	c.begin(`{}`)
	c.send(call(`1`))
	<-h.asked
	c.end()
	require.NotNil(t, c.receive().Error)
	require.NoError(t, <-c.over)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
}
