package sandbox_test

import (
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/egress"
)

// upstream is a server that does what servers should not.
func upstream(t *testing.T, elsewhere string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) })
	mux.HandleFunc("/around", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/around", http.StatusFound) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "file:///etc/passwd")
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for block := make([]byte, 64<<10); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) { // a few KiB on the wire
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		defer func() { _ = packed.Close() }()
		for range 64 {
			if _, err := packed.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("."))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, err = conn.Write([]byte("HTTP/1.1 200 OK\r\n"))
		for line := []byte("X-Header: " + strings.Repeat("x", 1000) + "\r\n"); err == nil; {
			_, err = conn.Write(line)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestHostileRequests(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request reached a host that was not granted")
	}))
	t.Cleanup(other.Close)
	server := upstream(t, other.URL+"/secret")
	at, err := url.Parse(server.URL)
	require.NoError(t, err)
	port := at.Port()

	allowing := func(rules ...egress.Rule) func(*sandbox.Config) {
		return func(c *sandbox.Config) { c.Grants.HTTP = rules }
	}
	granted := allowing(egress.Rule{URL: server.URL + "/", Private: true, BodyBytes: 1 << 20})
	briefly := func(c *sandbox.Config) { c.Limits.CallTimeout = 400 * time.Millisecond }
	notAllowed := []question{{answer: got(-2)}}

	cases := []hostile{
		{module: "http_forged", asks: append(onLines(3, question{answer: got(-6), character: 1}), onLines(3, question{answer: got(-6), character: 0x7fffffff})...)},
		{module: "http_keep", as: " ok", config: setting(server.URL+"/ok", granted), asks: []question{{lines: []int{1, 6}}}},
		{module: "http_method", config: setting(server.URL+"/ok", granted), asks: []question{{lines: []int{2, 6}}}},
		{module: "http_header", config: setting(server.URL+"/ok", granted), asks: onLines(4, question{answer: got(-6)})},
		{module: "http_retry", config: setting(server.URL+"/silent", granted, shortly), weight: 5, asks: []question{{code: late, limit: "callTimeoutMs"}}},
	}
	get := func(name, url string, config func(*sandbox.Config), asks ...question) {
		cases = append(cases, hostile{module: "http_get", as: " " + name, config: setting(url, config), asks: asks})
	}
	get("ok", server.URL+"/ok", granted, question{answer: got(200)})
	get("missing", server.URL+"/none", granted, question{answer: got(404)})
	get("another host", other.URL+"/secret", granted, notAllowed...)
	get("redirect to another host", server.URL+"/away", granted, notAllowed...)
	get("redirect to a file", server.URL+"/file", granted, question{lines: []int{2, 4}})
	get("redirect in circles", server.URL+"/around", granted, question{answer: got(-4)})
	get("another path", server.URL+"/ok", allowing(egress.Rule{URL: server.URL + "/api/", Private: true}), notAllowed...)
	get("out of the path", server.URL+"/api/../ok", allowing(egress.Rule{URL: server.URL + "/api/", Private: true}), question{lines: []int{2, 6}})
	get("out of the path, encoded", server.URL+"/api/%2e%2e/ok", allowing(egress.Rule{URL: server.URL + "/api/", Private: true}), question{lines: []int{2, 6}})
	get("user in front of another host", "http://"+at.Host+"@127.0.0.1:1/", granted, question{lines: []int{2, 6}})
	get("a private address", server.URL+"/ok", allowing(egress.Rule{URL: server.URL + "/"}), notAllowed...)
	get("a private address by name", "http://localhost:"+port+"/ok", allowing(egress.Rule{URL: "http://localhost:" + port + "/"}), notAllowed...)
	get("a private address as a number", "http://2130706433:"+port+"/ok", allowing(egress.Rule{URL: server.URL + "/"}), question{lines: []int{2, 6}})
	get("a private address in IPv6", "http://[::ffff:127.0.0.1]:"+port+"/ok", allowing(egress.Rule{URL: "http://[::ffff:127.0.0.1]:" + port + "/"}), notAllowed...)
	get("link-local", "http://169.254.169.254/latest", allowing(egress.Rule{URL: "http://169.254.169.254/"}), notAllowed...)
	get("not http", "file:///etc/passwd", granted, question{lines: []int{2, 6}})
	get("no URL", "%zz", granted, question{lines: []int{2, 6}})
	get("an endless body", server.URL+"/endless", granted, question{answer: got(-3)})
	get("a body that swells", server.URL+"/bomb", granted, question{answer: got(-3)})
	get("endless headers", server.URL+"/headers", granted, question{lines: []int{3, 4}})
	for _, what := range []string{"slow", "silent"} {
		cases = append(cases, hostile{
			module: "http_get", as: " " + what, weight: 10,
			config: setting(server.URL+"/"+what, granted, briefly),
			asks:   []question{{lines: []int{5}, code: late, either: true}}, // it can still say so, if the machine is not too busy
		})
	}
	requireHarmless(t, cases)
}
