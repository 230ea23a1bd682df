package workspace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestURIsOfPosixPaths(t *testing.T) {
	for path, uri := range map[string]string{
		"/":                     "file:///",
		"/a/b.go":               "file:///a/b.go",
		"/a b.go":               "file:///a%20b.go",
		"/50%":                  "file:///50%25",
		"/%2F":                  "file:///%252F",
		"/C#/what?":             "file:///C%23/what%3F",
		"/größe":                "file:///gr%C3%B6%C3%9Fe",
		"/日本":                   "file:///%E6%97%A5%E6%9C%AC",
		"/😀":                    "file:///%F0%9F%98%80",
		"/\xff":                 "file:///%FF",
		"/[id]":                 "file:///%5Bid%5D",
		"/-._~!$&'()*+,;=:@":    "file:///-._~!$&'()*+,;=:@",
		"/\"<>\\^`{|}":          "file:///%22%3C%3E%5C%5E%60%7B%7C%7D",
		"/\n\x7f":               "file:///%0A%7F",
		"/c:/x":                 "file:///c:/x",
		"/trailing/":            "file:///trailing/",
		"//two":                 "file:////two",
		"/" + `back\slash`:      "file:///back%5Cslash",
		"/a/../b":               "file:///a/../b",
		"/..generated/x":        "file:///..generated/x",
		"/AZaz09":               "file:///AZaz09",
		"/tab\there/and\rthere": "file:///tab%09here/and%0Dthere",
	} {
		require.Equal(t, uri, posix.uri(path))
		back, err := posix.path(uri)
		require.NoError(t, err)
		require.Equal(t, path, back)
	}
}

func TestURIsOfWindowsPaths(t *testing.T) {
	for path, uri := range map[string]string{
		`C:\`:                    "file:///C:/",
		`C:\a b`:                 "file:///C:/a%20b",
		`c:\x\y.go`:              "file:///c:/x/y.go",
		`C:\C#\100%\größe`:       "file:///C:/C%23/100%25/gr%C3%B6%C3%9Fe",
		`\\host\share\x`:         "file://host/share/x",
		`\\wsl$\Ubuntu\home`:     "file://wsl$/Ubuntu/home",
		`\\host@SSL@8080\dav\x`:  "file://host%40SSL%408080/dav/x",
		`\\größe\share\a b`:      "file://gr%C3%B6%C3%9Fe/share/a%20b",
		`\\localhost\share\x`:    "file://localhost/share/x",
		`C:\a;b,c=d\@+!$&'()~.x`: "file:///C:/a;b,c=d/@+!$&'()~.x",
	} {
		require.Equal(t, uri, windows.uri(path))
		back, err := windows.path(uri)
		require.NoError(t, err)
		require.Equal(t, path, back)
	}
	for path, uri := range map[string]string{ // other spellings of a path
		`C:/a/b`:               "file:///C:/a/b",
		`//host/share/x`:       "file://host/share/x",
		`\\?\C:\long`:          "file:///C:/long",
		`\\?\UNC\host\share\x`: "file://host/share/x",
		`\\host`:               "file://host/",
	} {
		require.Equal(t, uri, windows.uri(path))
	}
}

// What other programs write for the same paths.
func TestPathsOfOtherSpellings(t *testing.T) {
	for _, c := range []struct {
		style     style
		uri, path string
	}{
		{posix, "FILE:///a", "/a"}, // A-207 as corrected: the scheme without case
		{posix, "File:/a", "/a"},
		{posix, "file://localhost/a", "/a"},
		{posix, "file://LocalHost/a", "/a"},
		{posix, "file:///größe", "/größe"},
		{posix, "file:///a b[1]", "/a b[1]"},
		{posix, "file:///%61%2b%40%c3%BC", "/a+@ü"},
		{posix, "file:///a%5Cb", `/a\b`}, // an ordinary character
		{posix, `file:///a\b`, `/a\b`},
		{posix, "file:///c%3A/x", "/c:/x"},
		{windows, "file:///c%3A/x", `c:\x`},
		{windows, "FILE:///C:/x", `C:\x`},
		{windows, "file:/C:/x", `C:\x`},
		{windows, "file:///C:", `C:\`},
		{windows, `file:///C:\a\b`, `C:\a\b`},
		{windows, "file://localhost/C:/x", `C:\x`},
		{windows, "file:////host/share/x", `\\host\share\x`},
		{windows, "file://HOST/Share/x", `\\HOST\Share\x`},
	} {
		path, err := c.style.path(c.uri)
		require.NoError(t, err, c.uri)
		require.Equal(t, c.path, path, c.uri)
	}
}

func TestURIsWithoutAPath(t *testing.T) {
	both := []string{
		"", "file", "file:", "file://", "file:a", "file:a/b", "fil:///a", "files:///a", "http://localhost/a", "/a", "untitled:a", "jdt://a/b",
		"file:///C:/a%2Fb", "file:///C:/a%2fb", // encoded separators
		"file:///C:/a%00b", "file:///C:/a\x00b", // NUL
		"file:///C:/a%", "file:///C:/a%4", "file:///C:/a%zz", "file:///C:/%-1", "file:///C:/a%%41", // malformed
		"file:///C:/a?b", "file:///C:/a#L10",
		"file://lo%2Fcal/a", "file://%zz/a",
	}
	for _, c := range []struct {
		style style
		uris  []string
	}{
		{posix, append(both, "file://host/share/x", "file://C:/x", "file://127.0.0.1/x", "file://localhost")},
		{windows, append(both,
			"file:///C:/a%5Cb", "file:///C:/a%5cb",
			"file:///a.ts", "file:///", "file:///C:x", "file:///1:/x", "file:////", "file://///x", "file://host", "file://host/", "file://C:/x", "file:////host", "file:////host/", "file://host//x",
			"file://./pipe/x", "file:////./pipe/x", "file://?/C:/x", "file://%3F/C:/x", `file:\\.\pipe\x`)},
	} {
		for _, uri := range c.uris {
			path, err := c.style.path(uri)
			require.Error(t, err, "%q gave %q", uri, path)
			require.Empty(t, path)
		}
	}
}

func FuzzURI(f *testing.F) {
	for _, seed := range []string{"/", "/a b/%2F/ü#?", "//x", `C:\a b`, `\\host\share\x`, "/\xff", `\\.\pipe\x`, "relative"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if strings.ContainsRune(path, 0) {
			return
		}
		posixPath := "/" + path
		requireRoundTrip(t, posix, posixPath)
		rest := strings.ReplaceAll(path, "/", `\`)
		requireRoundTrip(t, windows, `C:\`+rest)
		requireRoundTrip(t, windows, `\\server\`+"x"+rest)
	})
}

func requireRoundTrip(t *testing.T, s style, path string) {
	uri := s.uri(path)
	for i := range len(uri) {
		if c := uri[i]; c != '%' && c != '/' && !isPlain(c, ":@") {
			t.Fatalf("%q of %q has the byte %q as it is", uri, path, c)
		}
	}
	back, err := s.path(uri)
	if err != nil || back != path {
		t.Fatalf("%q became %q and then %q, %v", path, uri, back, err)
	}
}

func FuzzPathOf(f *testing.F) {
	for _, seed := range []string{
		"file:///a%20b", "file://localhost/c:/x", "file:////h/s", "file://h/s/x", "FILE:/C|/x", "file:///%", `file:\\h\s`, "file://%3f/C:/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		for _, s := range []style{posix, windows} {
			path, err := s.path(uri)
			if err != nil {
				continue
			}
			if strings.ContainsRune(path, 0) {
				t.Fatalf("%q gave %q", uri, path)
			}
			again, err := s.path(s.uri(path))
			if err != nil || again != path {
				t.Fatalf("%q gave %q and then %q, %v", uri, path, again, err)
			}
		}
	})
}
