package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// These tests run in bubbles: time is their own, and each fails if a goroutine of the client is
// left when it ends.

// piped is a network of pipes, with a server at the other end of each.
func piped(server func(net.Conn)) Network {
	return Network{
		Resolver: &lab{names: map[string][][]string{"code.example.com": {{public}}}},
		Dial: func(context.Context, netip.AddrPort) (net.Conn, error) {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				server(there)
			}()
			return here, nil
		},
	}
}

// answering reads one request, answers, and is silent until the client is gone.
func answering(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		_, _ = io.WriteString(conn, answer)
		_, _ = io.Copy(io.Discard, in)
	}
}

const (
	theURL   = "http://code.example.com/"
	halfBody = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
)

func inBubble(t *testing.T, n Network, timeout time.Duration, test func(*testing.T, *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, err := n.Client([]Rule{{URL: theURL, Timeout: timeout}})
		require.NoError(t, err)
		defer c.Close()
		test(t, c)
	})
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestSilentServers(t *testing.T) {
	networks := map[string]Network{
		"connected":     piped(answering("")),
		"in the header": piped(answering("HTTP/1.1 200 OK\r\nX: ")),
		"resolver":      {Resolver: silent{}},
		"dial": {
			Resolver: &lab{names: map[string][][]string{"code.example.com": {{public, "1.1.1.1", "8.8.8.8"}}}},
			Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		},
		"in a redirect": piped(answering("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 10\r\n\r\nhalf")),
	}
	q := Request{Method: "GET", URL: theURL}
	for name, n := range networks {
		t.Run(name+"/caller's deadline", func(t *testing.T) {
			inBubble(t, n, time.Minute, func(t *testing.T, c *Client) {
				start := time.Now()
				_, err := c.Do(within(t, time.Second), q)
				require.ErrorIs(t, err, ErrDeadline)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, time.Second, time.Since(start))
			})
		})
		t.Run(name+"/time of the rule", func(t *testing.T) {
			inBubble(t, n, time.Second, func(t *testing.T, c *Client) {
				start := time.Now()
				_, err := c.Do(t.Context(), q)
				require.ErrorIs(t, err, ErrDeadline)
				require.ErrorContains(t, err, "deadline passed: GET http://code.example.com/ took longer than 1s: raise timeoutMs of http rule 0")
				require.NotErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, time.Second, time.Since(start))
			})
		})
		t.Run(name+"/cancelled", func(t *testing.T) {
			inBubble(t, n, time.Minute, func(t *testing.T, c *Client) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				_, err := c.Do(ctx, q)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, ErrFailed)
			})
		})
		t.Run(name+"/closed", func(t *testing.T) {
			inBubble(t, n, time.Minute, func(t *testing.T, c *Client) {
				time.AfterFunc(time.Second, c.Close)
				_, err := c.Do(t.Context(), q)
				require.ErrorIs(t, err, ErrFailed)
				require.ErrorContains(t, err, "the client is closed")
			})
		})
	}
}

type silent struct{}

func (silent) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestSlowBodies(t *testing.T) {
	q := Request{Method: "GET", URL: theURL}
	open := func(t *testing.T, c *Client) *Response {
		t.Helper()
		r, err := c.Do(within(t, time.Second), q)
		require.NoError(t, err)
		n, err := r.Read(t.Context(), make([]byte, 10))
		require.NoError(t, err)
		require.Equal(t, 4, n)
		return r
	}
	read := func(ctx context.Context, r *Response) error {
		_, err := r.Read(ctx, make([]byte, 10))
		return err
	}
	t.Run("caller's deadline", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) {
			r := open(t, c)
			time.Sleep(2 * time.Second) // that of Do is over, and not for the body
			start := time.Now()
			err := read(within(t, time.Second), r)
			require.ErrorIs(t, err, ErrDeadline)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, time.Second, time.Since(start))
			require.Equal(t, err, read(t.Context(), r)) // the response is over
			require.Zero(t, c.open.Load())
		})
	})
	t.Run("time of the rule", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) {
			r := open(t, c)
			start := time.Now()
			err := read(t.Context(), r)
			require.ErrorIs(t, err, ErrDeadline)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorContains(t, err, "raise timeoutMs of http rule 0")
			require.Equal(t, time.Minute, time.Since(start))
		})
	})
	t.Run("context that is over", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) {
			r := open(t, c)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, read(ctx, r), context.Canceled)
			_, err := c.Do(ctx, q)
			require.ErrorIs(t, err, context.Canceled)
			require.EqualValues(t, 1, c.open.Load()) // the response is still open
			r.Close()
		})
	})
	t.Run("closed while read", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) {
			r := open(t, c)
			time.AfterFunc(time.Second, r.Close)
			require.ErrorContains(t, read(t.Context(), r), "the response is closed")
		})
	})
	t.Run("client closed while read", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) {
			r := open(t, c)
			time.AfterFunc(time.Second, c.Close)
			require.ErrorContains(t, read(t.Context(), r), "the client is closed")
			_, err := c.Do(t.Context(), q)
			require.ErrorContains(t, err, "the client is closed")
		})
	})
	t.Run("never closed", func(t *testing.T) {
		inBubble(t, piped(answering(halfBody)), time.Minute, func(t *testing.T, c *Client) { open(t, c) })
	})
	t.Run("drop by drop", func(t *testing.T) {
		server := func(conn net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
			for err == nil {
				time.Sleep(time.Second)
				_, err = conn.Write([]byte{'x'})
			}
		}
		inBubble(t, piped(server), time.Minute, func(t *testing.T, c *Client) {
			start := time.Now()
			r, err := c.Do(t.Context(), q)
			require.NoError(t, err)
			_, err = readAll(t, r)
			require.ErrorIs(t, err, ErrDeadline)
			require.Equal(t, time.Minute, time.Since(start))
			time.Sleep(time.Second) // the server's last drop
		})
	})
}

// A server that takes no request bodies in holds nobody either.
func TestServerThatDoesNotRead(t *testing.T) {
	server := func(conn net.Conn) {
		_, _ = conn.Read(make([]byte, 1))
		time.Sleep(time.Hour)
	}
	inBubble(t, piped(server), time.Minute, func(t *testing.T, c *Client) {
		start := time.Now()
		_, err := c.Do(t.Context(), Request{Method: "GET", URL: theURL, Body: make([]byte, 1<<20)})
		require.ErrorIs(t, err, ErrDeadline)
		require.Equal(t, time.Minute, time.Since(start))
		time.Sleep(time.Hour) // for the server to end
	})
}

func TestIdleConnections(t *testing.T) {
	var dialled atomic.Int32
	server := func(conn net.Conn) {
		dialled.Add(1)
		in := bufio.NewReader(conn)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
	}
	inBubble(t, piped(server), time.Minute, func(t *testing.T, c *Client) {
		ask := func() {
			r, err := c.Do(t.Context(), Request{Method: "GET", URL: theURL})
			require.NoError(t, err)
			require.Equal(t, "ok", text(t, r))
			r.Close()
		}
		ask()
		ask()
		synctest.Wait()
		require.EqualValues(t, 1, dialled.Load())
		time.Sleep(2 * idleTime)
		ask()
		require.EqualValues(t, 2, dialled.Load())
		c.Close()
		c.Close()
	})
}

// The connection that nobody waits for any more is made, kept, and closed with the client.
func TestConnectionThatIsLate(t *testing.T) {
	n := piped(answering(halfBody))
	dial := n.Dial
	n.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
		time.Sleep(2 * time.Second) // whatever ctx says
		return dial(ctx, to)
	}
	for _, closed := range []bool{true, false} {
		inBubble(t, n, time.Second, func(t *testing.T, c *Client) {
			_, err := c.Do(t.Context(), Request{Method: "GET", URL: theURL})
			require.ErrorIs(t, err, ErrDeadline)
			if closed {
				c.Close()
			}
			time.Sleep(2 * time.Second)
		})
	}
}

// pipedTLS is a network where https://example.com has the servers given, one for each connection.
func pipedTLS(t *testing.T, certified *httptest.Server, servers ...func(net.Conn)) Network {
	t.Helper()
	var next atomic.Int32
	n := piped(func(conn net.Conn) {
		servers[next.Add(1)-1](conn)
	})
	n.Resolver = &lab{names: map[string][][]string{"example.com": {{public}}}}
	n.Roots = x509.NewCertPool()
	n.Roots.AddCert(certified.Certificate())
	time.Sleep(time.Until(certified.Certificate().NotBefore.AddDate(1, 0, 0))) // bubbles begin in 2000
	return n
}

// withCertificate gives what httptest has: a certificate for example.com.
func withCertificate() *httptest.Server {
	s := httptest.NewTLSServer(nil)
	s.Close()
	return s
}

// TLS says goodbye with a write, and this server has stopped reading.
func TestServerThatDoesNotReadTheGoodbye(t *testing.T) {
	certified := withCertificate()
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		n := pipedTLS(t, certified, func(conn net.Conn) {
			secure := tls.Server(conn, certified.TLS)
			_, _ = http.ReadRequest(bufio.NewReader(secure))
			_, _ = io.WriteString(secure, halfBody)
			<-done
		})
		c, err := n.Client([]Rule{{URL: "https://example.com"}})
		require.NoError(t, err)
		defer close(done)
		defer c.Close()
		r, err := c.Do(t.Context(), Request{Method: "GET", URL: "https://example.com"})
		require.NoError(t, err)
		_, err = r.Read(t.Context(), make([]byte, 10))
		require.NoError(t, err)
		start := time.Now()
		_, err = r.Read(within(t, time.Second), make([]byte, 10))
		require.ErrorIs(t, err, ErrDeadline)
		require.LessOrEqual(t, time.Since(start), time.Second+farewellTime)
	})
}

// A request that found another connection leaves one behind that is still being made. It ends
// with the client, at whatever stage.
func TestConnectionThatIsNotNeededAnyMore(t *testing.T) {
	certified := withCertificate()
	slow := func(conn net.Conn) {
		secure := tls.Server(conn, certified.TLS)
		in := bufio.NewReader(secure)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			time.Sleep(2 * time.Second)
			_, _ = io.WriteString(secure, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	}
	silentHandshake := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	for _, stage := range []string{"dial", "handshake"} {
		t.Run(stage, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := pipedTLS(t, certified, slow, silentHandshake)
				dial := n.Dial
				var dialled atomic.Int32
				n.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
					if dialled.Add(1) == 2 && stage == "dial" {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return dial(ctx, to)
				}
				c, err := n.Client([]Rule{{URL: "https://example.com"}})
				require.NoError(t, err)
				defer c.Close()
				ask := func() {
					r, err := c.Do(t.Context(), Request{Method: "GET", URL: "https://example.com"})
					require.NoError(t, err)
					r.Close()
				}
				var first sync.WaitGroup
				first.Go(ask)
				time.Sleep(time.Second)
				ask() // waits for the second connection and gets the first
				first.Wait()
				require.EqualValues(t, 2, dialled.Load())
			})
		})
	}
}

func TestSilentTLS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := piped(func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }).Client([]Rule{{URL: "https://code.example.com"}})
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Do(within(t, time.Second), Request{Method: "GET", URL: "https://code.example.com"})
		require.ErrorIs(t, err, ErrDeadline)
	})
}

func TestGoodbyeIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer there.Close()
		life, end := context.WithCancel(t.Context())
		defer end()
		conn := own(life, here)
		defer conn.Close()
		require.NoError(t, conn.SetWriteDeadline(time.Now().Add(5*time.Second)))
		start := time.Now()
		_, err := conn.Write([]byte("goodbye"))
		var timeout net.Error
		require.True(t, errors.As(err, &timeout) && timeout.Timeout())
		require.Equal(t, farewellTime, time.Since(start))
	})
}
