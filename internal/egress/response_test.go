package egress

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func zipped(t *testing.T, to func(io.Writer) io.WriteCloser, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := to(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func toGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func toZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func toFlate(w io.Writer) io.WriteCloser {
	f, _ := flate.NewWriter(w, flate.DefaultCompression) // a level that there is
	return f
}

func TestDecoding(t *testing.T) {
	plain := strings.Repeat("text ", 1000)
	tests := map[string]struct {
		encoding string
		body     []byte
		want     string
		as       string // the Content-Encoding that is left
	}{
		"none":           {body: []byte(plain), want: plain},
		"gzip":           {encoding: "gzip", body: zipped(t, toGzip, plain), want: plain},
		"old name":       {encoding: "X-GZIP", body: zipped(t, toGzip, plain), want: plain},
		"two members":    {encoding: "gzip", body: append(zipped(t, toGzip, plain), zipped(t, toGzip, "more")...), want: plain + "more"},
		"zlib":           {encoding: "deflate", body: zipped(t, toZlib, plain), want: plain},
		"bare deflate":   {encoding: "Deflate", body: zipped(t, toFlate, plain), want: plain},
		"empty gzip":     {encoding: "gzip", body: zipped(t, toGzip, ""), want: ""},
		"nothing":        {encoding: "gzip", body: nil, want: "", as: "gzip"}, // no body, so nothing was decoded
		"nobody asked":   {encoding: "br", body: []byte("\x0b\x02"), want: "\x0b\x02", as: "br"},
		"more than one":  {encoding: "gzip, gzip", body: []byte("x"), want: "x", as: "gzip, gzip"},
		"no real coding": {encoding: "identity", body: []byte("x"), want: "x", as: "identity"},
	}
	for name, test := range tests {
		for _, chunked := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if test.encoding != "" {
						w.Header().Set("Content-Encoding", test.encoding)
					}
					if chunked && len(test.body) > 0 {
						_ = http.NewResponseController(w).Flush()
					}
					_, _ = w.Write(test.body)
				})
				r := get(t, local(t, s), s.URL)
				require.Equal(t, test.want, text(t, r))
				require.Equal(t, test.as, header(r, "Content-Encoding"))
				if test.encoding != "" && test.as == "" {
					require.Empty(t, header(r, "Content-Length"))
				}
				_, err := r.Read(t.Context(), make([]byte, 1))
				require.Equal(t, io.EOF, err)
			})
		}
	}
}

func TestHeadAndPartsAreNotDecoded(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Length", "3")
		if r.Header.Get("Range") != "" {
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write([]byte("abc"))
	})
	c := local(t, s)
	r := do(t, c, Request{Method: "HEAD", URL: s.URL})
	require.Equal(t, "3", header(r, "Content-Length"))
	require.Equal(t, "gzip", header(r, "Content-Encoding"))
	require.Empty(t, text(t, r))
	r = do(t, c, Request{Method: "GET", URL: s.URL, Header: []Field{{"Range", "bytes=0-2"}}})
	require.Equal(t, "abc", text(t, r))
}

func TestBodiesThatAreTooLarge(t *testing.T) {
	const limit = 100_000
	over := strings.Repeat("x", limit+1)
	tests := map[string]struct {
		encoding string
		write    func(io.Writer)
		wantFull bool
	}{
		"by one byte":  {write: func(w io.Writer) { _, _ = io.WriteString(w, over) }, wantFull: true},
		"endless":      {write: func(w io.Writer) { forever(w, []byte(over)) }, wantFull: true},
		"gzip bomb":    {encoding: "gzip", write: func(w io.Writer) { z := gzip.NewWriter(w); forever(z, make([]byte, 1<<20)) }, wantFull: true},
		"zlib bomb":    {encoding: "deflate", write: func(w io.Writer) { z := zlib.NewWriter(w); forever(z, make([]byte, 1<<20)) }, wantFull: true},
		"much nothing": {encoding: "gzip", write: func(w io.Writer) { forever(w, zipped(t, toGzip, "")) }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", test.encoding)
				test.write(w)
			})
			c := local(t, s, func(r *Rule) { r.BodyBytes = limit })
			r := get(t, c, s.URL)
			got, err := readAll(t, r)
			require.ErrorIs(t, err, ErrOverLimit)
			require.ErrorContains(t, err, "is larger than 100000 bytes: raise bodyBytes of http rule 0")
			if test.wantFull {
				require.Len(t, got, limit)
			}
			_, again := r.Read(t.Context(), make([]byte, 1))
			require.Equal(t, err, again)
		})
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, over[1:]) })
	require.Len(t, text(t, get(t, local(t, s, func(r *Rule) { r.BodyBytes = limit }), s.URL)), limit)
}

// forever writes until the other side is gone.
func forever(w io.Writer, p []byte) {
	for {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

// raw serves bytes that no http server would.
func raw(t *testing.T, answer string) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, answer)
		if c, ok := conn.(*net.TCPConn); ok { // no reset: the client must see all of it
			_ = c.CloseWrite()
			_, _ = io.Copy(io.Discard, c)
		}
		_ = conn.Close()
	})
}

func TestBadAnswers(t *testing.T) {
	tests := map[string]struct {
		answer string
		kind   error
		says   string
	}{
		"no http":         {"hidden\r\n\r\n", ErrFailed, "the answer is not valid"},
		"nothing":         {"", ErrFailed, "the connection ended too early"},
		"half a header":   {"HTTP/1.1 200 OK\r\nX: hidden\r\n", ErrFailed, "the connection ended too early"},
		"long header":     {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeaderBytes) + "\r\n\r\n", ErrOverLimit, "the response header of GET "},
		"many headers":    {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", maxHeaderBytes/6) + "\r\n", ErrOverLimit, "is larger than 65536 bytes"},
		"two lines":       {"HTTP/1.1 200 OK\r\nX: a\rY: b\r\n\r\n", ErrFailed, "the answer is not valid"},
		"endless 1xx":     {strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: yyyyyyyyyyyyy\r\n\r\n", maxHeaderBytes/40), ErrOverLimit, "response header"},
		"another one":     {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhidden", ErrFailed, "switched to another protocol"},
		"short body":      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhidden", ErrFailed, "the connection ended too early"},
		"bad chunk":       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhidden\r\n", ErrFailed, "the answer is not valid"},
		"no gzip":         {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhidden but no gzip", ErrFailed, "the answer is not valid"},
		"no deflate":      {"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\xff\xff\xff", ErrFailed, "the answer is not valid"},
		"short gzip":      {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + string(zipped(t, toGzip, "hidden")[:15]), ErrFailed, "the connection ended too early"},
		"redirect, short": {"HTTP/1.1 302 Found\r\nContent-Length: 10\r\nLocation: ://\r\n\r\nhid", ErrFailed, "was redirected"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := raw(t, test.answer)
			r, err := local(t, s).Do(t.Context(), Request{Method: "GET", URL: s.URL})
			if err == nil {
				_, err = readAll(t, r)
				r.Close()
			}
			require.ErrorIs(t, err, test.kind)
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), "hidden")
		})
	}
}

func TestResponseHeader(t *testing.T) {
	s := raw(t, "HTTP/1.1 418 I'm a teapot\r\nx-b: 2\r\nX-A: 1\r\nX-B: 3\r\nX-Bad: a\xffb\tä\r\nContent-Length: 0\r\n\r\n")
	r := get(t, local(t, s), s.URL)
	require.Equal(t, 418, r.Status)
	require.Equal(t, []Field{{"Content-Length", "0"}, {"X-A", "1"}, {"X-B", "2"}, {"X-B", "3"}, {"X-Bad", "a\uFFFDb\tä"}}, r.Header)
}

func TestReadAfterClose(t *testing.T) {
	s := serve(t, echo)
	r := get(t, local(t, s), s.URL)
	n, err := r.Read(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, n)
	r.Close()
	_, err = r.Read(t.Context(), make([]byte, 1))
	require.ErrorIs(t, err, ErrFailed)
	require.ErrorContains(t, err, "the response is closed")
}
