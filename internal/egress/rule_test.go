package egress

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNewSaysWhichRuleIsWrong(t *testing.T) {
	const ok = "https://code.example.com/api"
	header := func(name, value string) Rule { return Rule{URL: ok, Headers: map[string]string{name: value}} }
	tests := map[string]struct {
		rule Rule
		want string
	}{
		"no url":           {Rule{}, `url: the URL "": write scheme://host/path`},
		"scheme":           {Rule{URL: "ftp://h/"}, `url: the scheme "ftp": only http and https are served`},
		"user":             {Rule{URL: "https://u:hidden@h/"}, "url: the URL names a user: send credentials in a header"},
		"wildcard":         {Rule{URL: "https://*.example.com/"}, `url: the host "*.example.com": write labels of letters`},
		"odd address":      {Rule{URL: "https://127.1/"}, `url: the host "127.1": write an IPv4 address as four decimal numbers`},
		"query":            {Rule{URL: ok + "?x"}, "url: a query or fragment is not matched: write " + ok},
		"fragment":         {Rule{URL: ok + "#"}, "url: a query or fragment is not matched: write " + ok},
		"dots":             {Rule{URL: "https://h/a/../b"}, `url: the path "/a/../b" is not in its plain form: write https://h/b`},
		"encoding":         {Rule{URL: "https://h/%41%2f"}, `url: the path segment "A%2F" hides dots or slashes`},
		"lower case hex":   {Rule{URL: "https://h/a%2fb"}, `url: the path "/a%2fb" is not in its plain form: write https://h/a%2Fb`},
		"method":           {Rule{URL: ok, Methods: []string{"get"}}, `methods: the method "get": write it as GET or POST`},
		"no method":        {Rule{URL: ok, Methods: []string{""}}, `methods: the method "": write it as GET or POST`},
		"CONNECT":          {Rule{URL: ok, Methods: []string{"GET", "CONNECT"}}, "methods: the method CONNECT is never served"},
		"TRACE":            {Rule{URL: ok, Methods: []string{"TRACE"}}, "methods: the method TRACE is never served"},
		"header name":      {header("X Y", "hidden"), `headers: the header name "X Y": write letters, digits and -`},
		"Host":             {header("host", "hidden"), "headers: the header host is the host's own: leave it out"},
		"Accept-Encoding":  {header("Accept-Encoding", "hidden"), "headers: Accept-Encoding is the host's own, which decodes: leave it out"},
		"proxy":            {header("Proxy-Authorization", "hidden"), "headers: the header Proxy-Authorization is for a proxy"},
		"line break":       {header("X-Key", "hidden\n"), "headers: the value of X-Key is empty, has space at an end"},
		"injection":        {header("X-Key", "hidden\r\nx: hidden"), "headers: the value of X-Key is empty, has space at an end"},
		"empty value":      {header("X-Key", ""), "headers: the value of X-Key is empty"},
		"twice":            {Rule{URL: ok, Headers: map[string]string{"X-Key": "hidden", "x_key": "hidden"}}, "headers: x_key is there twice: write it once"},
		"body bytes":       {Rule{URL: ok, BodyBytes: -1}, "bodyBytes is -1: write a number from 1 to 1073741824, or leave it out for 4194304"},
		"many body bytes":  {Rule{URL: ok, BodyBytes: MaxBodyBytes + 1}, "bodyBytes is 1073741825: write a number from 1 to 1073741824"},
		"negative timeout": {Rule{URL: ok, Timeout: -time.Second}, "timeoutMs is negative: write a positive number, or leave it out for 30000"},
		"clash":            {Rule{URL: "https://CODE.example.com:443/first/", Methods: []string{"POST", "HEAD"}}, "HEAD https://code.example.com/first/ is in http rule 0 too: write each method of a URL in one rule"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := New([]Rule{{URL: "https://code.example.com/first"}, test.rule})
			require.ErrorContains(t, err, "http rule 1: "+test.want)
			require.NotContains(t, err.Error(), "hidden")
		})
	}
}

func TestMatch(t *testing.T) {
	c, err := New([]Rule{
		0: {URL: "https://code.example.com/api/"},
		1: {URL: "https://code.example.com/api/v4", Methods: []string{"GET"}},
		2: {URL: "https://code.example.com/api/v4/search", Methods: []string{"POST"}},
		3: {URL: "http://code.example.com:8080"},
		4: {URL: "https://code.example.com/ns%2Fname"},
		5: {URL: "http://[::1]:80/"},
		6: {URL: "https://files.example.com/index.json"},
		7: {URL: "https://code.example.com/api", Methods: []string{"PROPFIND"}},
	})
	require.NoError(t, err)
	defer c.Close()
	tests := map[string]int{ // -1 is refused
		"GET https://code.example.com/api":              0,
		"GET https://code.example.com/api/":             0,
		"GET https://code.example.com/api?q":            0,
		"HEAD https://code.example.com/api/x":           0,
		"GET https://code.example.com:443/api/x":        0,
		"GET https://code.example.com/x/../api/y":       0,
		"GET https://code.example.com/api/v4":           1,
		"GET https://code.example.com/api/v4/x":         1,
		"GET https://code.example.com/api/v4/search":    1,
		"HEAD https://code.example.com/api/v4/search":   0,
		"POST https://code.example.com/api/v4/search":   2,
		"POST https://code.example.com/api/v4/search/x": 2,
		"GET https://code.example.com/api/v40":          0,
		"GET http://code.example.com:8080/":             3,
		"GET http://code.example.com:8080/anything":     3,
		"GET https://code.example.com/ns%2Fname/x":      4,
		"GET https://code.example.com/ns%2fname":        4,
		"GET http://[0::1]/x":                           5,
		"GET https://files.example.com/index.json":      6,
		"PROPFIND https://code.example.com/api":         7,

		"GET https://code.example.com/":                   -1,
		"GET https://code.example.com/apix":               -1,
		"GET https://code.example.com/API/x":              -1,
		"GET https://code.example.com/api/../admin":       -1,
		"GET https://code.example.com/api/v4/../../admin": -1,
		"GET https://code.example.com/api/%2e%2e/admin":   -1,
		"GET https://code.example.com/api%2Fx":            -1,
		"GET https://code.example.com/api%3Fx":            -1,
		"GET https://code.example.com/ns/name/x":          -1,
		"GET https://code.example.com/ns%252Fname/x":      -1,
		"GET https://code.example.com/?/api/":             -1,
		"GET https://code.example.com:8443/api/":          -1,
		"GET http://code.example.com/api/":                -1,
		"GET https://code.example.com:80/api/":            -1,
		"GET http://code.example.com/":                    -1,
		"GET https://code.example.com:8080/":              -1,
		"GET https://evil.code.example.com/api/":          -1,
		"GET https://code.example.com.evil/api/":          -1,
		"GET https://files.example.com/index.jsonx":       -1,
		"GET https://files.example.com/":                  -1,
		"POST https://code.example.com/api/x":             -1,
		"DELETE https://code.example.com/api/v4/search":   -1,
		"GET http://[::ffff:0:1]/x":                       -1,
	}
	for request, want := range tests {
		method, url, _ := strings.Cut(request, " ")
		o, err := newOutgoing(Request{Method: method, URL: url})
		require.NoError(t, err, request)
		r, err := match(c.rules, o.method, o.to)
		if want < 0 {
			require.ErrorIs(t, err, ErrNotAllowed, request)
			continue
		}
		require.NoError(t, err, request)
		require.Equal(t, want, r.index, request)
	}
}

func TestMatchSaysWhatToChange(t *testing.T) {
	c, err := New([]Rule{{URL: "https://other.example.com"}, {URL: "https://code.example.com/api/"}})
	require.NoError(t, err)
	defer c.Close()
	err = refused(t, c, Request{Method: "POST", URL: "https://code.example.com/api/x?key=hidden"})
	require.EqualError(t, err, "not allowed: POST https://code.example.com/api/x: add POST to methods of http rule 1 if it is meant")
	err = refused(t, c, Request{Method: "GET", URL: "https://code.example.com/admin?key=hidden"})
	require.EqualError(t, err, "not allowed: GET https://code.example.com/admin: no http rule has a url that it begins with: add one if it is meant")
}
