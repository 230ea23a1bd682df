package egress

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTarget(t *testing.T) {
	tests := map[string]string{ // what is sent, with the query
		"http://code.example.com":                  "http://code.example.com/",
		"HTTPS://Code.Example.COM/A":               "https://code.example.com/A",
		"https://h:443/":                           "https://h/",
		"https://h:/":                              "https://h/",
		"https://h:0080/":                          "https://h:80/",
		"http://h:80/":                             "http://h/",
		"http://h:443/":                            "http://h:443/",
		"http://h?q":                               "http://h/?q",
		"http://h/p?":                              "http://h/p",
		"http://h/p?a=../../b&c=%2e%2e//[x]?y":     "http://h/p?a=../../b&c=%2e%2e//[x]?y",
		"http://h/p?q=ä":                           "http://h/p?q=%C3%A4",
		"http://h/p?q#f":                           "http://h/p?q",
		"http://h#@evil/":                          "http://h/",
		"http://h/@evil":                           "http://h/@evil",
		"http://h?@evil/":                          "http://h/?@evil/",
		"http://a_b-c.d/":                          "http://a_b-c.d/",
		"http://1.2.3.4:8080/":                     "http://1.2.3.4:8080/",
		"http://1.2.3.a/":                          "http://1.2.3.a/",
		"http://[::1]/":                            "http://[::1]/",
		"http://[0:0:0:0:0:0:0:1]:8080/":           "http://[::1]:8080/",
		"http://[2001:DB8::A]/":                    "http://[2001:db8::a]/",
		"http://[::ffff:127.0.0.1]/":               "http://[::ffff:127.0.0.1]/",
		"http://xn--bcher-kva.example/":            "http://xn--bcher-kva.example/",
		"http://h/a/../b?x=/../":                   "http://h/b?x=/../",
		"http://127.0.0.1.example.com/":            "http://127.0.0.1.example.com/",
		"http://h/" + strings.Repeat("a", 8000):    "http://h/" + strings.Repeat("a", 8000),
		"http://h/ns%2fname?" + "u=http://a@b:1#f": "http://h/ns%2Fname?u=http://a@b:1",
	}
	for raw, want := range tests {
		got, err := parseTarget(raw)
		require.NoError(t, err, raw)
		u, err := got.url()
		require.NoError(t, err, raw)
		require.Equal(t, want, u.String())
	}
}

func TestParseTargetRefuses(t *testing.T) {
	tests := map[error][]string{
		ErrBadRequest: {
			"", "h", "/p", "//h/p", "http:", "http:/h", "http:h", "http//h", "?x://h", "javascript:x",
			"http://", "http:///p", "http://?q", "http://:80/",
			"http://u@h/", "http://u:p@h/", "http://@h/", "http://h@evil/", "http://a@b@h/", "http://h%40evil/",
			"http://h\\evil/", "http://h\\@evil/", `http://h/a\b`, `http://h/?\`, "http:\\\\h/",
			"http://h/ x", " http://h/", "http://h/\r\nX: y", "http://h/\x00", "http://h\t/", "http://h/\x7f", "ht\ntp://h",
			"http://h./", "http://.h/", "http://a..b/", "http://127.0.0.1./", "http://.", "http://h.:80/",
			"http://127.1/", "http://127.0.1/", "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://0x7F.0.0.1/",
			"http://017700000001/", "http://0177.0.0.1/", "http://127.0.0.01/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0/", "http://0x/",
			"http://h.0x1/", "http://h.1/", "http://1.2.3/",
			"http://%31%32%37.0.0.1/", "http://h%2e/", "http://h%00/", "http://ex*mple/", "http://*.example.com/",
			"http://bücher.example/", "http://１２７.0.0.1/", "http://127。0.0.1/", "http://ⓛocalhost/",
			"http://::1/", "http://[::1/", "http://::1]/", "http://[::1]x/", "http://[127.0.0.1]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/",
			"http://[]/", "http://[::1]:x/", "http://[v1.x]/", "http://[::g]/",
			"http://h:0/", "http://h:65536/", "http://h:-1/", "http://h:+80/", "http://h:8o/", "http://h:80:80/", "http://h:99999999999999999999/",
			"http://" + strings.Repeat("a", 64) + "/", "http://" + strings.Repeat("a.", 127) + "a/",
			"http://h//p", "http://h/%2e%2e%2fp",
		},
		ErrNotAllowed: {"ftp://h/", "file:///etc/passwd", "gopher://h/", "://h/", "httpx://h", "ws://h/", "http+unix://h/"},
		ErrOverLimit:  {"http://h/" + strings.Repeat("a", maxURLBytes), "http://h/" + strings.Repeat("^", maxURLBytes/2), "http://h/?" + strings.Repeat("ä", maxURLBytes/4)},
	}
	for kind, urls := range tests {
		for _, raw := range urls {
			_, err := parseTarget(raw)
			require.ErrorIs(t, err, kind, raw)
			require.Less(t, len(err.Error()), 2000)
		}
	}
}

func TestFollow(t *testing.T) {
	tests := map[string]string{ // "" is refused
		"http://other/x":         "http://other/x",
		"HTTPS://h/x":            "https://h/x",
		"//other/x?y":            "http://other/x?y",
		"/x":                     "http://h:8080/x",
		"/x#f":                   "http://h:8080/x",
		"x":                      "http://h:8080/api/x",
		"./x":                    "http://h:8080/api/x",
		"../x":                   "http://h:8080/x",
		"../../../x":             "http://h:8080/x",
		"x/../../y":              "http://h:8080/y",
		"%2e%2e/x":               "http://h:8080/x",
		"?z":                     "http://h:8080/api/v1?z",
		"#f":                     "http://h:8080/api/v1?q",
		"x?u=http://evil/":       "http://h:8080/api/x?u=http://evil/",
		"./a:b":                  "http://h:8080/api/a:b",
		"ü":                      "http://h:8080/api/%C3%BC",
		"mailto:x":               "",
		"a:b":                    "",
		"javascript://h/%0aX":    "",
		"http:x":                 "",
		"/\\evil/":               "",
		"\\\\evil/":              "",
		"///evil/":               "",
		"http://u:p@h:8080/x":    "",
		"//127.1/":               "",
		"/a%2f..%2fb":            "",
		"x y":                    "",
		"file:///etc/passwd":     "",
		"//h:8080//x":            "",
		"http://h:8080/api/\x00": "",
	}
	from, err := parseTarget("http://h:8080/api/v1?q")
	require.NoError(t, err)
	for location, want := range tests {
		to, err := from.follow(location)
		if want == "" {
			require.Error(t, err, location)
			continue
		}
		require.NoError(t, err, location)
		u, err := to.url()
		require.NoError(t, err)
		require.Equal(t, want, u.String(), location)
	}
}
