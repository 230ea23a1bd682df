package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

const secret = "correct horse battery staple"

// shared is a server over HTTP.
type shared struct {
	url  string
	end  context.CancelFunc
	over chan error
}

func serve(t *testing.T, s *Server) shared {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := shared{"http://" + listener.Addr().String() + Path, cancel, make(chan error, 1)}
	go func() {
		served.over <- s.ServeListener(ctx, listener, Access{Token: secret, Hosts: []string{"code.example.com"}, Origins: []string{"https://ide.example.com"}})
		close(served.over)
	}()
	t.Cleanup(func() {
		cancel()
		for err := range served.over {
			require.NoError(t, err)
		}
	})
	return served
}

// withHeaders adds headers to all requests.
type withHeaders struct {
	next   http.RoundTripper
	header http.Header
}

func (w withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	for name, values := range w.header {
		request.Header[name] = values
	}
	return w.next.RoundTrip(request)
}

// httpClient has the token, and ends its connections with the test.
func httpClient(t *testing.T, header http.Header) *http.Client {
	t.Helper()
	if header == nil {
		header = http.Header{}
	}
	if header.Get("Authorization") == "" {
		header.Set("Authorization", "Bearer "+secret)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: withHeaders{transport, header}}
}

func dial(t *testing.T, served shared, c *sdk.Client, version string, header http.Header) *sdk.ClientSession {
	t.Helper()
	session, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: served.url, HTTPClient: httpClient(t, header), MaxRetries: -1},
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// One host answers many clients, each in its own folder, in every version of the protocol.
func TestHTTP(t *testing.T) {
	w := newWhereAsked()
	served := serve(t, serverOf(t, w.query, func(o *Options) { o.Folders = Folders{} }))
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			dir := project(t)
			c := newClient(nil)
			addRoots(c, workspace.FileURI(dir))
			session := dial(t, served, c, version, nil)
			for range 2 {
				result, err := ask(t.Context(), session)
				require.NoError(t, err)
				require.False(t, result.IsError)
				require.Contains(t, textOf(t, result), "it is known")
				require.Equal(t, dir, <-w.roots)
			}
		})
	}
}

// Where a server was started says nothing of where its clients work.
func TestHTTPWorkspaces(t *testing.T) {
	w, other, roots := newWhereAsked(), project(t), project(t)
	served := serve(t, serverOf(t, w.query, func(o *Options) { o.Folders = Folders{} }))
	escaped := url.PathEscape(other)
	tests := map[string]struct {
		header http.Header
		roots  bool
		want   string
	}{
		"none":                  {},
		"roots":                 {roots: true, want: roots},
		"a header":              {header: http.Header{workspaceHeader: {escaped}}, want: other},
		"a header before roots": {header: http.Header{workspaceHeader: {escaped}}, roots: true, want: other},
		"a folder to fall back": {header: http.Header{folderHeader: {escaped}}, want: other},
		"but not before roots":  {header: http.Header{folderHeader: {escaped}}, roots: true, want: roots},
		"no path":               {header: http.Header{workspaceHeader: {"src"}}, roots: true},
		"no escape":             {header: http.Header{workspaceHeader: {escaped + "%zz"}}, roots: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := newClient(nil)
			if test.roots {
				addRoots(c, workspace.FileURI(roots))
			} else {
				c = newClient(&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
			}
			result, err := ask(t.Context(), dial(t, served, c, "2025-11-25", test.header))
			require.NoError(t, err)
			if test.want == "" {
				require.Equal(t, seam.CodeWorkspaceRequired, codeOf(t, result))
				return
			}
			require.False(t, result.IsError)
			require.Equal(t, test.want, <-w.roots)
		})
	}
}

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// send sends one request as it is.
func send(t *testing.T, client *http.Client, request *http.Request) (int, string, http.Header) {
	t.Helper()
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body), response.Header
}

func post(t *testing.T, target, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	return request
}

func TestHTTPRefuses(t *testing.T) {
	served := serve(t, serverOf(t, knows))
	tests := map[string]struct {
		change func(*http.Request)
		want   int
		says   string
	}{
		"nothing":             {func(*http.Request) {}, 200, "protocolVersion"},
		"no token":            {func(r *http.Request) { r.Header.Del("Authorization") }, 401, "Authorization: Bearer TOKEN"},
		"another token":       {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret+"!") }, 401, "another token"},
		"a part of the token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret[:8]) }, 401, "another token"},
		"an empty token":      {func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401, ""},
		"another scheme":      {func(r *http.Request) { r.SetBasicAuth("ann", secret) }, 401, ""},
		"a token in the URL": {func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "token=" + url.QueryEscape(secret)
		}, 401, ""},
		"the token in lower case":  {func(r *http.Request) { r.Header.Set("Authorization", "bearer "+secret) }, 200, ""},
		"a foreign host":           {func(r *http.Request) { r.Host = "evil.example.com" }, 403, "--allow-host"},
		"one that looks like it":   {func(r *http.Request) { r.Host = "127.0.0.1.evil.example.com" }, 403, "--allow-host"},
		"localhost":                {func(r *http.Request) { r.Host = "localhost:9" }, 200, ""},
		"the sixth version":        {func(r *http.Request) { r.Host = "[::1]:9" }, 200, ""},
		"an allowed host":          {func(r *http.Request) { r.Host = "Code.example.com:443" }, 200, ""},
		"a foreign origin":         {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, 403, "--allow-origin"},
		"no origin to speak of":    {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, "--allow-origin"},
		"a file":                   {func(r *http.Request) { r.Header.Set("Origin", "file://localhost") }, 403, "--allow-origin"},
		"one of two origins":       {func(r *http.Request) { r.Header["Origin"] = []string{"http://localhost", "https://evil.example.com"} }, 403, ""},
		"an origin of here":        {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, 200, ""},
		"an allowed origin":        {func(r *http.Request) { r.Header.Set("Origin", "https://ide.example.com") }, 200, ""},
		"another path":             {func(r *http.Request) { r.URL.Path = "/" }, 404, Path},
		"another kind of content":  {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, ""},
		"no kind to answer in":     {func(r *http.Request) { r.Header.Set("Accept", "text/html") }, 400, ""},
		"an unknown session":       {func(r *http.Request) { r.Header.Set(sessionHeader, "nobody") }, 404, "session"},
		"an unknown version":       {func(r *http.Request) { r.Header.Set(versionHeader, "1999-01-01") }, 400, "version"},
		"no JSON":                  {body("hello"), 400, "-32700"},
		"binary":                   {body("\x00\xff\x01"), 400, "-32700"},
		"nothing to say":           {body(""), 400, "-32700"},
		"a message deep inside":    {body(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)), 400, "-32700"},
		"no message":               {body("{}"), 400, ""},
		"a huge message":           {body(`"` + strings.Repeat("x", maxMessageBytes) + `"`), 413, "bytes"},
		"a call without session":   {body(call("1")), 200, "initialization"},
		"GET without session":      {func(r *http.Request) { r.Method = http.MethodGet }, 400, ""},
		"DELETE without session":   {func(r *http.Request) { r.Method = http.MethodDelete }, 400, ""},
		"PUT":                      {func(r *http.Request) { r.Method = http.MethodPut }, 405, ""},
		"an unknown method":        {func(r *http.Request) { r.Method = "LOOK" }, 405, ""},
		"a body without a token":   {func(r *http.Request) { r.Header.Del("Authorization"); neverSent(r) }, 401, "missing"},
		"a body for another path":  {func(r *http.Request) { r.URL.Path = "/"; neverSent(r) }, 404, Path},
		"a body of a foreign host": {func(r *http.Request) { r.Host = "evil.example.com"; neverSent(r) }, 403, "--allow-host"},
		"a body of a DELETE":       {func(r *http.Request) { r.Method = http.MethodDelete; neverSent(r) }, 400, ""},
		"OPTIONS of a browser":     {func(r *http.Request) { r.Method = http.MethodOptions; r.Header.Del("Authorization") }, 401, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{DisableKeepAlives: true}
			request := post(t, served.url, handshake)
			request.Header.Set("Authorization", "Bearer "+secret)
			test.change(request)
			status, text, _ := send(t, &http.Client{Transport: transport}, request)
			require.Equal(t, test.want, status, text)
			require.Contains(t, text, test.says)
		})
	}
}

// neverSent makes a request that announces a body and does not send it.
func neverSent(r *http.Request) {
	stuck, _ := io.Pipe()
	r.Body, r.ContentLength = stuck, 1000
}

func body(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(text))
		r.ContentLength = int64(len(text))
	}
}

// A client that goes away mid-call takes its call with it.
func TestHTTPClientThatVanishes(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			h := newHeld()
			served := serve(t, serverOf(t, h.query))
			headers := map[string]string{"Authorization": "Bearer " + secret}
			text := call("2")
			if version >= firstWithoutRequests {
				headers[versionHeader], headers[methodHeader], headers[nameHeader] = version, "tools/call", "lsp"
				text = strings.Replace(text, `"name"`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name"`, 1)
			} else {
				_, _, header := send(t, httpClient(t, nil), post(t, served.url, handshake))
				headers[sessionHeader] = header.Get(sessionHeader)
			}
			conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(served.url, "http://"), Path))
			require.NoError(t, err)
			request := post(t, served.url, text)
			for name, value := range headers {
				request.Header.Set(name, value)
			}
			require.NoError(t, request.Write(conn))
			<-h.asked
			require.NoError(t, conn.Close())
			require.Equal(t, seam.CodeCancelled, seam.CodeOf(<-h.ended))
		})
	}
}

// Sessions whose clients say nothing more are ended.
func TestHTTPSessionsEnd(t *testing.T) {
	s := serverOf(t, knows)
	s.sessionLimit = 50 * time.Millisecond
	served := serve(t, s)
	status, _, header := send(t, httpClient(t, nil), post(t, served.url, handshake))
	require.Equal(t, 200, status)
	require.NotEmpty(t, header.Get(sessionHeader))
	require.Eventually(t, func() bool {
		for range s.sdk.Sessions() {
			return false
		}
		return true
	}, 10*time.Second, 10*time.Millisecond)
}

// A session is over when its client says so.
func TestHTTPDelete(t *testing.T) {
	served := serve(t, serverOf(t, knows))
	c := httpClient(t, nil)
	_, _, header := send(t, c, post(t, served.url, handshake))
	for _, want := range []int{http.StatusNoContent, http.StatusNotFound} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, served.url, nil)
		require.NoError(t, err)
		request.Header.Set(sessionHeader, header.Get(sessionHeader))
		status, text, _ := send(t, c, request)
		require.Equal(t, want, status, text)
	}
}

// At the end nothing new is begun, and what is under way gets its answer. A client that
// listens for news holds nobody up.
func TestHTTPEnd(t *testing.T) {
	h := newHeld()
	served := serve(t, serverOf(t, h.query))
	session := dial(t, served, newClient(nil), "2025-11-25", nil) // it listens
	answered := make(chan error, 1)
	go func() {
		result, err := ask(t.Context(), session)
		if err == nil && result.IsError {
			err = fmt.Errorf("the answer is %v", result.Content)
		}
		answered <- err
	}()
	<-h.asked
	served.end()
	address := strings.TrimSuffix(strings.TrimPrefix(served.url, "http://"), Path)
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 10*time.Second, 10*time.Millisecond)
	close(h.release)
	require.NoError(t, <-answered)
	require.NoError(t, <-served.over)
}

// One that asks on a connection it has is told that it is over.
func TestHTTPEndRefusesMore(t *testing.T) {
	h := newHeld()
	served := serve(t, serverOf(t, h.query))
	c := httpClient(t, nil)
	_, _, header := send(t, c, post(t, served.url, handshake))
	address := strings.TrimSuffix(strings.TrimPrefix(served.url, "http://"), Path)
	kept, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer kept.Close()
	require.Equal(t, http.StatusOK, exchange(t, kept, served, header))
	go func() {
		request := post(t, served.url, call("2"))
		request.Header.Set(sessionHeader, header.Get(sessionHeader))
		response, err := c.Do(request)
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	}()
	<-h.asked
	served.end()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, http.StatusServiceUnavailable, exchange(t, kept, served, header))
	close(h.release)
	require.NoError(t, <-served.over)
}

// exchange pings over one connection.
func exchange(t *testing.T, conn net.Conn, served shared, header http.Header) int {
	t.Helper()
	request := post(t, served.url, `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	request.Header.Set(sessionHeader, header.Get(sessionHeader))
	request.Header.Set("Authorization", "Bearer "+secret)
	require.NoError(t, request.Write(conn))
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	return response.StatusCode
}

// A header of ours that comes from outside leads nowhere.
func TestHTTPRequestHeaderIsOurs(t *testing.T) {
	served := serve(t, serverOf(t, knows))
	session := dial(t, served, newClient(nil), "2025-11-25", http.Header{requestHeader: {"1"}})
	result, err := ask(t.Context(), session)
	require.NoError(t, err)
	require.False(t, result.IsError)
}

// Progress reaches a client over HTTP too, in the answer to its call.
func TestHTTPProgress(t *testing.T) {
	h := newHeld()
	served := serve(t, serverOf(t, h.query, func(o *Options) { o.Activity = func([]string) string { return "starting gopls…" } }))
	news := make(chan string, 10)
	c := newClient(&sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, n *sdk.ProgressNotificationClientRequest) { news <- n.Params.Message }})
	session := dial(t, served, c, "2025-11-25", nil)
	told := make(chan string, 1)
	go func() {
		told <- <-news
		close(h.release)
	}()
	params := &sdk.CallToolParams{Name: "lsp", Arguments: json.RawMessage(question)}
	params.SetProgressToken("p")
	result, err := session.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.False(t, result.IsError)
	require.Equal(t, "starting gopls…", <-told)
}

// A message that is cut off is none to answer.
func TestHTTPHalfAMessage(t *testing.T) {
	served := serve(t, serverOf(t, knows))
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(served.url, "http://"), Path))
	require.NoError(t, err)
	defer conn.Close()
	var whole bytes.Buffer
	request := post(t, served.url, handshake)
	request.Header.Set("Authorization", "Bearer "+secret)
	require.NoError(t, request.Write(&whole))
	_, err = conn.Write(whole.Bytes()[:whole.Len()-10])
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
}
