package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const public = "93.184.215.14"

// lab is a network of names and public addresses, all of which lead to servers on loopback.
type lab struct {
	mu      sync.Mutex
	names   map[string][][]string // answers, one after the other; the last one stays
	asked   []string
	dialled []string
	servers map[string]string // by address and port
}

func (l *lab) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, host)
	answers := l.names[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		l.names[host] = answers[1:]
	}
	var addresses []netip.Addr
	for _, a := range answers[0] {
		addresses = append(addresses, netip.MustParseAddr(a))
	}
	return addresses, nil
}

func (l *lab) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	l.mu.Lock()
	l.dialled = append(l.dialled, to.String())
	server := l.servers[to.String()]
	l.mu.Unlock()
	if server == "" {
		return nil, &net.OpError{Op: "dial", Err: errors.New("no route")}
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", server)
}

func (l *lab) network() Network { return Network{Resolver: l, Dial: l.dial} }

// oneHost is a lab where a name and its address lead to a server.
func oneHost(t *testing.T, handler http.HandlerFunc) *lab {
	t.Helper()
	s := serve(t, handler)
	return &lab{
		names:   map[string][][]string{"code.example.com": {{public}}},
		servers: map[string]string{public + ":80": s.Listener.Addr().String()},
	}
}

func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func newClient(t *testing.T, n Network, rules ...Rule) *Client {
	t.Helper()
	c, err := n.Client(rules)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// local is a client of everything on one test server.
func local(t *testing.T, s *httptest.Server, change ...func(*Rule)) *Client {
	t.Helper()
	r := Rule{URL: s.URL, Private: true, Methods: []string{"GET", "HEAD", "POST", "PUT", "DELETE"}}
	for _, f := range change {
		f(&r)
	}
	return newClient(t, Network{}, r)
}

func do(t *testing.T, c *Client, q Request) *Response {
	t.Helper()
	r, err := c.Do(t.Context(), q)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

func get(t *testing.T, c *Client, url string) *Response {
	t.Helper()
	return do(t, c, Request{Method: "GET", URL: url})
}

func refused(t *testing.T, c *Client, q Request) error {
	t.Helper()
	r, err := c.Do(t.Context(), q)
	if err == nil {
		r.Close()
	}
	require.Error(t, err)
	return err
}

func readAll(t *testing.T, r *Response) (string, error) {
	t.Helper()
	var b strings.Builder
	p := make([]byte, 1000)
	for {
		n, err := r.Read(t.Context(), p)
		b.Write(p[:n])
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
	}
}

func text(t *testing.T, r *Response) string {
	t.Helper()
	s, err := readAll(t, r)
	require.NoError(t, err)
	return s
}

func header(r *Response, name string) string {
	for _, f := range r.Header {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
