package egress

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// redirecting answers /STATUS?TARGET with a redirect, and all else with echo.
func redirecting(w http.ResponseWriter, r *http.Request) {
	status, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		echo(w, r)
		return
	}
	if r.URL.RawQuery != "" {
		w.Header()["Location"] = []string{r.URL.RawQuery}
	}
	w.WriteHeader(status)
	fmt.Fprint(w, "moved")
}

func TestRedirectMethods(t *testing.T) {
	s := serve(t, redirecting)
	c := local(t, s)
	tests := []struct {
		status        int
		method        string
		want          string
		keepsItsBody  bool
		isNotFollowed bool
	}{
		{status: 301, method: "GET", want: "GET"},
		{status: 301, method: "POST", want: "GET"},
		{status: 301, method: "PUT", want: "GET"},
		{status: 302, method: "POST", want: "GET"},
		{status: 302, method: "DELETE", want: "GET"},
		{status: 303, method: "GET", want: "GET"},
		{status: 303, method: "POST", want: "GET"},
		{status: 307, method: "GET", want: "GET", keepsItsBody: true},
		{status: 307, method: "POST", want: "POST", keepsItsBody: true},
		{status: 308, method: "PUT", want: "PUT", keepsItsBody: true},
		{status: 300, method: "GET", isNotFollowed: true},
		{status: 305, method: "GET", isNotFollowed: true},
		{status: 200, method: "GET", isNotFollowed: true},
		{status: 404, method: "GET", isNotFollowed: true},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.status, test.method), func(t *testing.T) {
			r := do(t, c, Request{
				Method: test.method,
				URL:    fmt.Sprintf("%s/%d?/new", s.URL, test.status),
				Header: []Field{{"Content-Type", "text/x"}, {"X-Mine", "1"}, {"Authorization", "mine"}},
				Body:   []byte("a body"),
			})
			got := text(t, r)
			if test.isNotFollowed {
				require.Equal(t, test.status, r.Status)
				require.Equal(t, "moved", got)
				require.Equal(t, "/new", header(r, "Location"))
				return
			}
			require.Equal(t, 200, r.Status)
			require.True(t, strings.HasPrefix(got, test.want+" "), got)
			require.Contains(t, got, " /new\n")
			require.Contains(t, got, "X-Mine: 1")
			require.Contains(t, got, "Authorization: mine")
			require.NotContains(t, got, "Referer")
			require.Equal(t, test.keepsItsBody, strings.HasSuffix(got, "a body"))
			require.Equal(t, test.keepsItsBody, strings.Contains(got, "text/x"))
		})
	}
	r := do(t, c, Request{Method: "HEAD", URL: s.URL + "/302?/new"})
	require.Equal(t, 200, r.Status)
	r = get(t, c, s.URL+"/301")
	require.Equal(t, 301, r.Status)
	require.Equal(t, "moved", text(t, r))
}

func TestRedirectsAreCheckedAgain(t *testing.T) {
	l := oneHost(t, redirecting)
	l.names["other.example.com"] = [][]string{{public}}
	l.names["inside.example.com"] = [][]string{{"10.0.0.1"}}
	c := newClient(
		t, l.network(),
		Rule{URL: "http://code.example.com/302", Methods: []string{"GET", "POST"}},
		Rule{URL: "http://code.example.com/307", Methods: []string{"POST"}},
		Rule{URL: "http://code.example.com/api"},
		Rule{URL: "http://inside.example.com/"},
		Rule{URL: "http://127.0.0.1/"},
		Rule{URL: "http://code.example.com/small", Methods: []string{"POST"}, BodyBytes: 3},
	)
	tests := map[string]struct {
		kind error
		says string
	}{
		"/admin":                          {ErrNotAllowed, "GET http://code.example.com/admin: no http rule"},
		"/apix":                           {ErrNotAllowed, "GET http://code.example.com/apix: no http rule"},
		"/api/../admin":                   {ErrNotAllowed, "GET http://code.example.com/admin: no http rule"},
		"http://other.example.com/":       {ErrNotAllowed, "GET http://other.example.com/: no http rule"},
		"https://code.example.com/":       {ErrNotAllowed, "GET https://code.example.com/: no http rule"},
		"//other.example.com/":            {ErrNotAllowed, "no http rule"},
		"http://169.254.169.254/":         {ErrNotAllowed, "no http rule"},
		"http://inside.example.com/":      {ErrNotAllowed, "inside.example.com has the address 10.0.0.1, which is private: write private: true in http rule 3"},
		"http://127.0.0.1/":               {ErrNotAllowed, "127.0.0.1 has the address 127.0.0.1, which is loopback: write private: true in http rule 4"},
		"file:///etc/passwd":              {ErrNotAllowed, `was redirected: not allowed: the scheme "file"`},
		"http://127.1/":                   {ErrFailed, `was redirected: bad request: the host "127.1"`},
		"http://u:p@code.example.com/api": {ErrFailed, "was redirected: bad request: the URL names a user"},
		"/api/..%2fadmin":                 {ErrFailed, "hides dots or slashes"},
		"/302?/302?/admin":                {ErrNotAllowed, "(redirects: 3)"},
	}
	for location, test := range tests {
		t.Run(location, func(t *testing.T) {
			err := refused(t, c, Request{Method: "GET", URL: "http://code.example.com/302?" + location})
			require.ErrorIs(t, err, test.kind)
			require.ErrorContains(t, err, test.says)
		})
	}
	// A method that the rule of the target does not have, and a body that it does not take.
	err := refused(t, c, Request{Method: "POST", URL: "http://code.example.com/307?/api"})
	require.ErrorContains(t, err, "add POST to methods of http rule 2")
	err = refused(t, c, Request{Method: "POST", URL: "http://code.example.com/307?/small", Body: []byte("four")})
	require.ErrorIs(t, err, ErrOverLimit)
	require.ErrorContains(t, err, "http rule 5")
	require.Equal(t, 200, do(t, c, Request{Method: "POST", URL: "http://code.example.com/302?/api"}).Status)
	for _, address := range l.dialled {
		require.Equal(t, public+":80", address)
	}
}

func TestHeadersOfARuleStayWithIt(t *testing.T) {
	l := oneHost(t, redirecting)
	l.names["other.example.com"] = [][]string{{public}}
	c := newClient(
		t, l.network(),
		Rule{URL: "http://code.example.com/302", Headers: map[string]string{"X-First": "secret 1", "X-Both": "both 1"}},
		Rule{URL: "http://code.example.com/api", Headers: map[string]string{"X-Second": "secret 2", "X-Both": "both 2", "X-Mine": "of the rule"}},
		Rule{URL: "http://code.example.com/bare"},
		Rule{URL: "http://other.example.com/"},
	)
	mine := []Field{{"Authorization", "mine"}, {"Cookie", "mine"}, {"X-Mine", "mine"}, {"X_Mine", "mine"}}
	sent := func(location string) string {
		return text(t, do(t, c, Request{Method: "GET", URL: "http://code.example.com/302?" + location, Header: mine}))
	}

	got := sent("/bare")
	require.NotContains(t, got, "secret")
	require.NotContains(t, got, "both")
	require.Contains(t, got, "Authorization: mine")

	got = sent("/api")
	require.NotContains(t, got, "secret 1")
	require.NotContains(t, got, "both 1")
	require.Contains(t, got, "X-Second: secret 2")
	require.Contains(t, got, "X-Both: both 2")
	require.Contains(t, got, "X-Mine: of the rule")
	require.NotContains(t, got, "X_")

	got = sent("http://other.example.com/x")
	require.NotContains(t, got, "secret")
	require.NotContains(t, got, "Authorization")
	require.NotContains(t, got, "Cookie")
	require.Contains(t, got, "X-Mine: mine")

	// There and back: the module's own credentials do not come back to life.
	got = sent("http://other.example.com/302?http://code.example.com/302?/bare")
	require.NotContains(t, got, "secret")
	require.NotContains(t, got, "Authorization")
}

func TestRedirectToHTTPNeedsARule(t *testing.T) {
	plain := serve(t, echo)
	l := &lab{
		names:   map[string][][]string{"code.example.com": {{public}}},
		servers: map[string]string{public + ":80": plain.Listener.Addr().String()},
	}
	network, secure := withTLS(t, l, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://code.example.com/", http.StatusFound)
	})
	c := newClient(t, network, Rule{URL: secure})
	require.ErrorIs(t, refused(t, c, Request{Method: "GET", URL: secure}), ErrNotAllowed)
	c = newClient(t, network, Rule{URL: secure}, Rule{URL: "http://code.example.com"})
	require.Contains(t, text(t, get(t, c, secure)), "GET code.example.com /")
}

func TestEndlessRedirects(t *testing.T) {
	var asked atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		http.Redirect(w, r, fmt.Sprint("/", n), http.StatusFound)
	})
	err := refused(t, local(t, s), Request{Method: "GET", URL: s.URL})
	require.ErrorIs(t, err, ErrFailed)
	require.ErrorContains(t, err, "the server redirects more than 10 times")
	require.EqualValues(t, 11, asked.Load())

	asked.Store(0)
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) <= 10 {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	})
	require.Equal(t, 200, get(t, local(t, s), s.URL).Status)
}

func TestLimitsAreThoseOfTheRuleThatMatchedLast(t *testing.T) {
	s := serve(t, redirecting)
	c := newClient(
		t, Network{},
		Rule{URL: s.URL + "/302", Private: true, BodyBytes: 1, Timeout: time.Minute},
		Rule{URL: s.URL + "/api", Private: true},
	)
	require.Contains(t, text(t, get(t, c, s.URL+"/302?/api")), "GET")
	r := get(t, c, s.URL+"/302")
	_, err := readAll(t, r)
	require.ErrorIs(t, err, ErrOverLimit)
}
