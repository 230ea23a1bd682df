package egress

import (
	"bufio"
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is allowed is, on the wire and however often a server decodes it, below the path of a rule
// and at its host.
func FuzzAllowed(f *testing.F) {
	for _, seed := range []string{
		"http://code.example.com/api/x", "http://code.example.com/api", "http://code.example.com/apix", "http://code.example.com/api/../admin",
		"http://code.example.com/api/%2e%2e/admin", "http://code.example.com/api/..%2fadmin", "http://code.example.com/api/%252e%252e%252fadmin",
		"http://code.example.com/api/..;/admin", "http://code.example.com//api/x", `http://code.example.com/api\..\admin`, "http://code.example.com/api/..%5cadmin",
		"http://u@code.example.com/api/", "http://code.example.com@evil/api/", "http://code.example.com#@evil/api/", "http://code.example.com?/api/",
		"HTTP://CODE.example.com:080/%61pi/b?q#f", "http://code.example.com./api/", "http://2130706433/api/", "http://[::1]:80/x", "http://[::1%25lo]/x",
		"http://code.example.com/api/ns%2Fname", "http://code.example.com/api/ä/[x]", "http://code.example.com/api/a?\r\nHost: evil", "http://[0::1]/",
	} {
		f.Add(seed, "")
		f.Add("http://code.example.com/api/x/y?q", seed)
	}
	for _, location := range []string{"../x", "../../../admin", "//evil/api", "?x", "#x", "/api/..", "a:b", "./%2e%2e/%2e%2e/b"} {
		f.Add("http://code.example.com/api/x/y?q", location)
	}
	c, err := New([]Rule{{URL: "http://code.example.com/api/"}, {URL: "http://[::1]"}})
	require.NoError(f, err)
	f.Cleanup(c.Close)
	f.Fuzz(func(t *testing.T, raw, location string) {
		o, err := newOutgoing(Request{Method: "GET", URL: raw})
		if err != nil {
			return
		}
		if location != "" {
			next, found, err := o.redirect(http.StatusFound, http.Header{"Location": {location}})
			require.True(t, found)
			if err != nil {
				return
			}
			o = next
		}
		r, err := match(c.rules, o.method, o.to)
		if err != nil {
			require.ErrorIs(t, err, ErrNotAllowed)
			return
		}
		q, err := o.build(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, "http", q.URL.Scheme)

		var wire bytes.Buffer
		require.NoError(t, q.Write(&wire))
		got, err := http.ReadRequest(bufio.NewReader(&wire))
		require.NoError(t, err)
		want := []struct{ host, prefix string }{{"code.example.com", "/api"}, {"[::1]", ""}}[r.index]
		require.Equal(t, want.host, got.Host)
		require.Equal(t, want.host, q.URL.Host) // what is dialled
		require.Len(t, got.Header, 2)           // ours alone

		sent, _, _ := strings.Cut(got.RequestURI, "?")
		for seen, rounds := sent, 0; rounds < 10; rounds++ {
			require.NotContains(t, seen, `\`)
			clean := path.Clean(seen)
			require.True(t, clean == want.prefix || strings.HasPrefix(clean, want.prefix+"/"), seen)
			require.Equal(t, strings.TrimSuffix(clean, "/"), strings.TrimSuffix(seen, "/")) // nothing is left to clean
			decoded, err := url.PathUnescape(seen)
			if err != nil || decoded == seen {
				break
			}
			seen = decoded
		}

		again, err := parseTarget("http://" + got.Host + got.RequestURI)
		require.NoError(t, err)
		require.Equal(t, o.to, again) // one form, and no other
	})
}
