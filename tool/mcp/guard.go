package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Path is where a server answers over HTTP, and MetricsPath where it shows its metrics.
const (
	Path        = "/mcp"
	MetricsPath = "/metrics"
)

// bodyLimit is how long the body of a request may take to arrive.
const bodyLimit = 30 * time.Second

// guard lets only requests through that the server can and may answer.
type guard struct {
	server *Server
	access Access
	next   http.Handler
	ending atomic.Bool // no more is begun
}

func (g *guard) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if g.access.preflight(w, request) {
		return
	}
	g.access.share(w, request)
	if request.Method != http.MethodPost || request.URL.Path != Path {
		dropBody(w, request)
	}
	if status, why := g.access.refusal(request); status != 0 {
		dropBody(w, request)
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="navseam"`)
		}
		g.server.options.Log.Warn("a request was refused", "from", request.RemoteAddr, "status", status, "why", why)
		http.Error(w, why, status)
		return
	}
	metrics := g.server.options.Metrics
	switch {
	case request.URL.Path == MetricsPath && metrics != nil:
		metrics.ServeHTTP(w, request)
	case request.URL.Path != Path:
		http.Error(w, "navseam answers at "+Path, http.StatusNotFound)
	case g.ending.Load():
		http.Error(w, "navseam is ending", http.StatusServiceUnavailable)
	case g.server.requests.count() >= maxOpen:
		http.Error(w, "too much is asked at once", http.StatusServiceUnavailable)
	case request.Method == http.MethodPost:
		g.post(w, request)
	default:
		request.Header.Del(requestHeader)
		g.next.ServeHTTP(w, request)
	}
}

// dropBody is for a request whose body nobody wants: it is not waited for.
func dropBody(w http.ResponseWriter, request *http.Request) {
	if request.ContentLength == 0 {
		return
	}
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // not every writer of a test can
	request.Body = http.NoBody
}

// post reads the message first, whole and in time, so that what is slow or huge or no
// message ends here.
func (g *guard) post(w http.ResponseWriter, request *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyLimit)) // not every writer of a test can
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxMessageBytes))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "a message has at most "+strconv.Itoa(maxMessageBytes)+" bytes", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the message did not arrive", http.StatusBadRequest)
		return
	case !utf8.Valid(body) || !json.Valid(body):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(fault{code: jsonrpc.CodeParseError, text: "parse error: the body is no JSON-RPC message"}.answer())
		return
	}
	_ = control.SetReadDeadline(time.Time{})
	request.Body = io.NopCloser(bytes.NewReader(body))
	defer g.server.requests.enter(request)()
	g.next.ServeHTTP(w, request)
}

func quoted(text string) string { return strconv.QuoteToASCII(text[:min(len(text), 200)]) }
