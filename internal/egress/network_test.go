package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// withTLS adds a server for https://example.com to a lab.
func withTLS(t *testing.T, l *lab, handler http.HandlerFunc, change ...func(*httptest.Server)) (Network, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	for _, f := range change {
		f(s)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	l.names["example.com"] = [][]string{{public}} // the name that httptest's certificate is for
	l.servers[public+":443"] = s.Listener.Addr().String()
	n := l.network()
	n.Roots = x509.NewCertPool()
	n.Roots.AddCert(s.Certificate())
	return n, "https://example.com/"
}

func newLab() *lab { return &lab{names: map[string][][]string{}, servers: map[string]string{}} }

func TestOnlyCheckedAddressesAreDialled(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "168.63.129.16",
		"::1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1",
	} {
		l := oneHost(t, echo)
		rules := []Rule{{URL: "http://code.example.com/"}}
		l.names["code.example.com"] = [][]string{{public, address}} // one bad one is enough
		err := refused(t, newClient(t, l.network(), rules...), Request{Method: "GET", URL: "http://code.example.com/"})
		require.ErrorIs(t, err, ErrNotAllowed, address)
		require.ErrorContains(t, err, "write private: true in http rule 0 if it is meant")
		require.Empty(t, l.dialled)

		rules[0].Private = true
		require.Equal(t, 200, get(t, newClient(t, l.network(), rules...), "http://code.example.com/").Status, address)
		require.Equal(t, []string{public + ":80"}, l.dialled)
	}
}

func TestLiteralAddresses(t *testing.T) {
	l := oneHost(t, echo)
	l.servers["[2606:4700::1111]:80"] = l.servers[public+":80"]
	c := newClient(t, l.network(), Rule{URL: "http://" + public}, Rule{URL: "http://[2606:4700::1111]"}, Rule{URL: "http://127.0.0.1"}, Rule{URL: "http://[::1]"}, Rule{URL: "http://[::ffff:10.0.0.1]"})
	require.Contains(t, text(t, get(t, c, "http://"+public)), "GET "+public+" /")
	require.Contains(t, text(t, get(t, c, "http://[2606:4700::1111]")), "GET [2606:4700::1111] /")
	for _, url := range []string{"http://127.0.0.1/", "http://[::1]/", "http://[::ffff:10.0.0.1]/"} {
		require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: url}), ErrNotAllowed, url)
	}
	require.Empty(t, l.asked)
	require.Len(t, l.dialled, 2)
}

// The second answer is the attack: it is asked for by a second connection only, and checked then.
func TestRebinding(t *testing.T) {
	l := oneHost(t, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close") })
	l.names["code.example.com"] = [][]string{{public}, {"127.0.0.1"}}
	c := newClient(t, l.network(), Rule{URL: "http://code.example.com/"})
	require.Equal(t, 200, get(t, c, "http://code.example.com/").Status)
	require.Len(t, l.asked, 1)
	require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: "http://code.example.com/"}), ErrNotAllowed)
	require.Len(t, l.asked, 2)
	require.Equal(t, []string{public + ":80"}, l.dialled)
}

// A connection that a rule with private made is no way around the check of another rule.
func TestConnectionsBelongToTheirRule(t *testing.T) {
	l := oneHost(t, echo)
	l.names["code.example.com"] = [][]string{{"10.0.0.1"}}
	l.servers["10.0.0.1:80"] = l.servers[public+":80"]
	c := newClient(t, l.network(), Rule{URL: "http://code.example.com/in", Private: true}, Rule{URL: "http://code.example.com/out"})
	for range 2 {
		_ = text(t, get(t, c, "http://code.example.com/in"))
		require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: "http://code.example.com/out"}), ErrNotAllowed)
	}
	require.Equal(t, []string{"10.0.0.1:80"}, l.dialled) // and was used again
}

func TestAnotherAddressIsTried(t *testing.T) {
	l := oneHost(t, echo)
	l.names["code.example.com"] = [][]string{{"2606:4700::1111", "1.1.1.1", public}}
	c := newClient(t, l.network(), Rule{URL: "http://code.example.com/"})
	require.Equal(t, 200, get(t, c, "http://code.example.com/").Status)
	require.Equal(t, []string{"[2606:4700::1111]:80", "1.1.1.1:80", public + ":80"}, l.dialled)
}

// net/http reads the environment once in a process, so that setting it here would show nothing.
func TestNoAmbientProxy(t *testing.T) {
	c := newClient(t, Network{}, Rule{URL: "http://code.example.com/"})
	require.Nil(t, c.rules[0].transport.Proxy)
}

func TestMappedAddressesAreDialledPlain(t *testing.T) {
	l := oneHost(t, echo)
	l.names["code.example.com"] = [][]string{{"::ffff:" + public}}
	require.Equal(t, 200, get(t, newClient(t, l.network(), Rule{URL: "http://code.example.com/"}), "http://code.example.com/").Status)
	require.Equal(t, []string{public + ":80"}, l.dialled)
}

func TestNoCookies(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
		echo(w, r)
	})
	c := local(t, s)
	for range 2 {
		r := get(t, c, s.URL)
		require.NotContains(t, text(t, r), "Cookie")
		require.Equal(t, "id=1", header(r, "Set-Cookie"))
	}
}

func TestConnectionFailures(t *testing.T) {
	l := oneHost(t, echo)
	l.names["down.example.com"] = [][]string{{"1.1.1.1"}}
	l.names["empty.example.com"] = [][]string{{}}
	rules := []Rule{{URL: "http://down.example.com"}, {URL: "http://empty.example.com"}, {URL: "http://unknown.example.com"}}
	tests := map[string]string{
		"down":    "failed: GET http://down.example.com/: dial: no route",
		"empty":   "failed: GET http://empty.example.com/: the host has no address",
		"unknown": "failed: GET http://unknown.example.com/: the host has no address",
	}
	for name, want := range tests {
		err := refused(t, newClient(t, l.network(), rules...), Request{Method: "GET", URL: "http://" + name + ".example.com"})
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, ErrFailed)
	}
	n := l.network()
	n.Resolver = brokenResolver{}
	require.EqualError(t, refused(t, newClient(t, n, rules...), Request{Method: "GET", URL: "http://down.example.com/x?key=hidden"}),
		"failed: GET http://down.example.com/x: the host cannot be resolved now")
}

type brokenResolver struct{}

func (brokenResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, errors.New("hidden detail")
}

func TestTLS(t *testing.T) {
	n, url := withTLS(t, newLab(), echo)
	require.Contains(t, text(t, get(t, newClient(t, n, Rule{URL: url}), url)), "GET example.com /")

	n.Roots = x509.NewCertPool()
	err := refused(t, newClient(t, n, Rule{URL: url}), Request{Method: "GET", URL: url})
	require.EqualError(t, err, "failed: GET https://example.com/: the server's certificate is refused: its authority is not known to this system")

	l := newLab()
	n, _ = withTLS(t, l, echo)
	l.names["another.test"] = [][]string{{public}}
	err = refused(t, newClient(t, n, Rule{URL: "https://another.test"}), Request{Method: "GET", URL: "https://another.test"})
	require.ErrorContains(t, err, "the server's certificate is refused: it is for another host")

	n, url = withTLS(t, newLab(), echo, func(s *httptest.Server) {
		s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	})
	require.ErrorIs(t, refused(t, newClient(t, n, Rule{URL: url}), Request{Method: "GET", URL: url}), ErrFailed)

	l = oneHost(t, echo)
	l.servers[public+":443"] = l.servers[public+":80"]
	err = refused(t, newClient(t, l.network(), Rule{URL: "https://code.example.com"}), Request{Method: "GET", URL: "https://code.example.com"})
	require.ErrorContains(t, err, "the server does not speak TLS there: is it http?")
}

func TestDefaultsOfANetwork(t *testing.T) {
	s := serve(t, echo)
	conn, err := Network{}.withDefaults().Dial(t.Context(), netip.MustParseAddrPort(s.Listener.Addr().String()))
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.Equal(t, net.DefaultResolver, Network{}.withDefaults().Resolver)
}
