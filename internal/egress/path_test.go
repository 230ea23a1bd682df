package egress

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCleanPath(t *testing.T) {
	tests := map[string]string{ // "" is refused
		"/":                     "/",
		"/a":                    "/a",
		"/a/":                   "/a/",
		"/a/b.c/d":              "/a/b.c/d",
		"/./a":                  "/a",
		"/a/.":                  "/a/",
		"/a/./b":                "/a/b",
		"/a/../b":               "/b",
		"/a/..":                 "/",
		"/a/b/..":               "/a/",
		"/..":                   "/",
		"/../../a":              "/a",
		"/a/%2e%2e/b":           "/b",
		"/a/.%2E/b":             "/b",
		"/a/%2e/b":              "/a/b",
		"/...":                  "/...",
		"/a/..b/c..":            "/a/..b/c..",
		"/%41%7e":               "/A~",
		"/a%20b":                "/a%20b",
		"/%c3%a4":               "/%C3%A4",
		"/ä":                    "/%C3%A4",
		`/<">^{|}[]` + "`":      "/%3C%22%3E%5E%7B%7C%7D%5B%5D%60",
		"/!$&'()*+,;=:@":        "/!$&'()*+,;=:@",
		"/%21%3b":               "/%21%3B",
		"/projects/ns%2Fname/x": "/projects/ns%2Fname/x",
		"/ns%2fname":            "/ns%2Fname",
		"/100%25":               "/100%25",
		"/a%2525b":              "/a%2525b",
		"/a;v=1/b":              "/a;v=1/b",

		"//":                      "",
		"//a":                     "",
		"/a//b":                   "",
		"/a//":                    "",
		"/a/..//b":                "",
		"/a/.//b":                 "",
		"/%":                      "",
		"/%2":                     "",
		"/%zz":                    "",
		"/a%5cb":                  "",
		"/a%5Cb":                  "",
		"/a%255cb":                "",
		"/..%5c..%5cb":            "",
		"/a%00":                   "",
		"/a%0d%0a":                "",
		"/a%7f":                   "",
		"/a/..%2fb":               "",
		"/a/%2e%2e%2fb":           "",
		"/a%2f..%2fb":             "",
		"/a%2f..":                 "",
		"/a%2f.":                  "",
		"/a%2f%2fb":               "",
		"/%2fb":                   "",
		"/a/%252e%252e/b":         "",
		"/a/.%252e/b":             "",
		"/a/%25252e%25252e/b":     "",
		"/a/%252e%252e%252fb":     "",
		"/a/%zz%252e":             "",
		"/a%25zz%2f%252e%252e%2f": "",
		"/a/..;/b":                "",
		"/a/..;x=1/b":             "",
		"/a/.;/b":                 "",
		"/a/%2e%2e;/b":            "",
		"/a/..%3b/b":              "",
		"/a%2525252525b":          "",
		"/%c0%ae%c0%ae/b":         "", // an overlong dot
		"/%c0%af":                 "", // an overlong slash
		"/%ff":                    "",
		"/a/%25c0%25ae":           "",
	}
	for raw, want := range tests {
		t.Run(raw, func(t *testing.T) {
			got, err := cleanPath(raw)
			if want == "" {
				require.ErrorIs(t, err, ErrBadRequest)
				return
			}
			require.NoError(t, err)
			require.Equal(t, want, got)
			again, err := cleanPath(got)
			require.NoError(t, err)
			require.Equal(t, want, again)
		})
	}
	root, err := cleanPath("")
	require.NoError(t, err)
	require.Equal(t, "/", root)
	_, err = cleanPath("/" + strings.Repeat("%25", maxURLBytes/3))
	require.NoError(t, err)
}
