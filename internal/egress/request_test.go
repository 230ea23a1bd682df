package egress

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// echo answers with the request as it arrived.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s\n", r.Method, r.Host, r.RequestURI)
	_ = r.Header.Write(w)
	fmt.Fprintf(w, "\n%s", body)
}

func TestWhatIsSent(t *testing.T) {
	l := oneHost(t, echo)
	c := newClient(t, l.network(), Rule{
		URL:     "http://code.example.com/api/",
		Methods: []string{"GET", "POST", "HEAD"},
		Headers: map[string]string{"authorization": "Bearer hidden"},
	})
	tests := map[string]struct {
		request Request
		want    string
	}{
		"plain": {
			request: Request{Method: "GET", URL: "HTTP://Code.Example.Com:80/x/../api/%41/ns%2fname?a=%2e%2e&b#f"},
			want:    "GET code.example.com /api/A/ns%2Fname?a=%2e%2e&b\nAccept-Encoding: gzip\r\nAuthorization: Bearer hidden\r\nUser-Agent: navseam\r\n\n",
		},
		"body": {
			request: Request{Method: "POST", URL: "http://code.example.com/api", Body: []byte("{}"), Header: []Field{{"content-type", "application/json"}}},
			want:    "POST code.example.com /api\nAccept-Encoding: gzip\r\nAuthorization: Bearer hidden\r\nContent-Length: 2\r\nContent-Type: application/json\r\nUser-Agent: navseam\r\n\n{}",
		},
		"no body": {
			request: Request{Method: "POST", URL: "http://code.example.com/api"},
			want:    "POST code.example.com /api\nAccept-Encoding: gzip\r\nAuthorization: Bearer hidden\r\nContent-Length: 0\r\nUser-Agent: navseam\r\n\n",
		},
		"headers": {
			request: Request{Method: "GET", URL: "http://code.example.com/api", Header: []Field{
				{"Accept", "a"},
				{"accept", " b\t"},
				{"User-Agent", "mine"},
				{"Cookie", "c=d"},
				{"Accept-Encoding", "br"},
				{"X-Empty", ""},
				{"X-Text", "ä\tb"},
			}},
			want: "GET code.example.com /api\nAccept: a\r\nAccept: b\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer hidden\r\nCookie: c=d\r\nUser-Agent: mine\r\nX-Empty: \r\nX-Text: ä\tb\r\n\n",
		},
		"range": {
			request: Request{Method: "GET", URL: "http://code.example.com/api", Header: []Field{{"Range", "bytes=0-9"}}},
			want:    "GET code.example.com /api\nAccept-Encoding: identity\r\nAuthorization: Bearer hidden\r\nRange: bytes=0-9\r\nUser-Agent: navseam\r\n\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, text(t, do(t, c, test.request)))
		})
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	var asked int
	l := oneHost(t, func(http.ResponseWriter, *http.Request) { asked++ })
	c := newClient(t, l.network(), Rule{
		URL:       "http://code.example.com/",
		Headers:   map[string]string{"X-Api-Key": "hidden"},
		Methods:   []string{"GET", "POST"},
		BodyBytes: 10,
	})
	tests := map[error][]Request{
		ErrBadRequest: {{}, {Method: "get"}, {Method: "GE T"}, {Method: "GET\r\n"}, {Method: "GÉT"}, {Method: "GET", URL: "x"}},
		ErrNotAllowed: {
			{Method: "CONNECT"},
			{Method: "TRACE"},
			{Method: "PUT"},
			{Method: "GET", Header: []Field{{"x-api-key", "mine"}}},
			{Method: "GET", Header: []Field{{"X_API_KEY", "mine"}}},
		},
		ErrOverLimit: {
			{Method: "POST", Body: make([]byte, 11)},
			{Method: "GET", Header: []Field{{"X", strings.Repeat("x", maxHeaderBytes)}}},
			{Method: "GET", URL: "http://code.example.com/" + strings.Repeat("x", maxURLBytes)},
		},
	}
	for _, name := range []string{
		"", " ", "X Y", "X:", "X\r\n", "X\x00", "Ü", "(x)",
		"Host", "host", "Content-Length", "content_length", "Transfer-Encoding", "transfer_encoding", "Connection", "Keep-Alive", "TE", "Trailer",
		"Upgrade", "HTTP2-Settings", "Expect", "Proxy-Authorization", "Proxy-Connection", "proxy-x",
		"X-HTTP-Method-Override", "x_http_method_override", "X-HTTP-Method", "X-Method-Override", "X-Original-URL", "X-Rewrite-URL",
	} {
		tests[ErrBadRequest] = append(tests[ErrBadRequest], Request{Method: "GET", Header: []Field{{name, "v"}}})
	}
	for _, value := range []string{"a\r\nX: y", "a\n", "\r", "a\x00", "\x7f", "\x1b"} {
		tests[ErrBadRequest] = append(tests[ErrBadRequest], Request{Method: "GET", Header: []Field{{"X", value}}})
	}
	for kind, requests := range tests {
		for _, q := range requests {
			if q.URL == "" {
				q.URL = "http://code.example.com/"
			}
			err := refused(t, c, q)
			require.ErrorIs(t, err, kind, "%+v", q)
			require.NotContains(t, err.Error(), "hidden")
		}
	}
	require.Zero(t, asked)
	require.Empty(t, l.dialled)
	require.EqualError(t, refused(t, c, Request{Method: "GET", URL: "http://code.example.com/", Header: []Field{{"x-api-key", "mine"}}}),
		"not allowed: the header X-Api-Key is set by headers of http rule 0: leave it out")
	require.EqualError(t, refused(t, c, Request{Method: "POST", URL: "http://code.example.com/", Body: make([]byte, 11)}),
		"over a limit: the request body of POST http://code.example.com/ has 11 bytes, and 10 are the most: raise bodyBytes of http rule 0")
}

func TestOpenResponsesAreLimited(t *testing.T) {
	c := local(t, serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound) }))
	url := c.rules[0].root.String()
	var open []*Response
	for range MaxOpen {
		open = append(open, get(t, c, url))
	}
	require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: url}), ErrOverLimit)
	open[0].Close()
	open[0].Close() // counts once
	get(t, c, url)
	require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: url}), ErrOverLimit)
	_ = text(t, open[1]) // the end of a body is the end of the response
	open[1].Close()
	get(t, c, url)
	require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: url}), ErrOverLimit)
}

// The memory of a module may be gone when Do has returned, and its body not be sent yet.
func TestBodyIsNotUsedAfterDo(t *testing.T) {
	got := make(chan []byte, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		_ = http.NewResponseController(w).Flush() // answers first
		time.Sleep(50 * time.Millisecond)
		body, _ := io.ReadAll(r.Body)
		got <- body
	})
	body := bytes.Repeat([]byte("a"), 4<<20) // more than the buffers between hold
	r := do(t, local(t, s), Request{Method: "POST", URL: s.URL, Body: body})
	for i := range body {
		body[i] = 'b'
	}
	_ = text(t, r)
	require.False(t, bytes.Contains(<-got, []byte("b")))
}
