package wasmsdk

import (
	"io"
	"runtime"
	"strings"

	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// Header is the fields of a request or a response, in their order.
type Header []Field

// Field is one line of a header.
type Field struct{ Name, Value string }

// Get returns the value of the first field of that name, in whatever case, or "".
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Request is what [Do] sends. The deployment may add fields with secrets that the module
// never sees.
type Request struct {
	Method string // GET if empty
	URL    string
	Header Header
	Body   []byte
}

// Response is an answer of any status code: a 404 is no error. The body ends with the call
// that asked for it; close it earlier where a call makes many requests.
type Response struct {
	Status int
	Header Header
	Body   io.ReadCloser
}

// Get asks for a URL. See [Do].
func Get(url string) (*Response, error) { return Do(Request{URL: url}) }

// Do sends a request and returns when the header of the response is there. The host follows
// redirects and decodes contents; it allows what the deployment's rules allow. It needs the
// grant http. There is no http.RoundTripper, for net/http makes a module four times as large.
func Do(r Request) (*Response, error) {
	if r.Method == "" {
		r.Method = "GET"
	}
	var lines strings.Builder
	for _, f := range r.Header {
		lines.WriteString(f.Name + ": " + f.Value + "\n")
	}
	handle := hostcall.HTTPRequest(r.Method, r.URL, lines.String(), r.Body)
	runtime.Gosched()
	if handle < 0 {
		return nil, refused("http_request", r.URL, handle)
	}
	body := &body{url: r.URL, handle: handle}
	status := hostcall.HTTPStatus(handle)
	if status < 0 {
		return nil, refused("http_status", r.URL, status)
	}
	header, size := copyOut(make([]byte, 4096), func(p []byte) int32 { return hostcall.HTTPHeaders(handle, p) })
	if size < 0 {
		return nil, refused("http_headers", r.URL, size)
	}
	return &Response{Status: int(status), Header: parseHeader(string(header)), Body: body}, nil
}

func parseHeader(lines string) Header {
	var header Header
	for line := range strings.Lines(lines) {
		if name, value, found := strings.Cut(strings.TrimRight(line, "\r\n"), ":"); found {
			header = append(header, Field{name, strings.TrimSpace(value)})
		}
	}
	return header
}

type body struct {
	url    string
	handle int32
}

func (b *body) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n := hostcall.HTTPRead(b.handle, p)
	runtime.Gosched()
	if n < 0 {
		return 0, refused("http_read", b.url, n)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func (b *body) Close() error {
	hostcall.HTTPClose(b.handle)
	return nil
}
