package sandbox

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func roomy() *Limits { return &Limits{Locations: 1000, ResponseBytes: 1 << 20} }

// collect hands over locations of the named files, all of the same range but for the line.
func collect(a *records, l *Limits, lines ...struct {
	uri  string
	line uint32
},
) {
	for _, at := range lines {
		a.add(l, record{uri: a.numberOf(at.uri), startLine: at.line, endLine: at.line, endCharacter: 1})
	}
}

func TestNoLocationComesTwice(t *testing.T) {
	type at = struct {
		uri  string
		line uint32
	}
	tests := map[string]struct {
		given, want []at
	}{
		"in order":                  {[]at{{"a", 1}, {"a", 2}, {"b", 1}}, []at{{"a", 1}, {"a", 2}, {"b", 1}}},
		"one after the other":       {[]at{{"a", 1}, {"a", 1}, {"a", 2}}, []at{{"a", 1}, {"a", 2}}},
		"later":                     {[]at{{"a", 1}, {"a", 2}, {"a", 1}}, []at{{"a", 1}, {"a", 2}}},
		"back in another file":      {[]at{{"a", 1}, {"b", 1}, {"a", 2}, {"b", 1}, {"a", 2}}, []at{{"a", 1}, {"b", 1}, {"a", 2}}},
		"out of order and all kept": {[]at{{"a", 9}, {"a", 3}, {"b", 7}, {"a", 5}}, []at{{"a", 9}, {"a", 3}, {"b", 7}, {"a", 5}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var a records
			collect(&a, roomy(), test.given...)
			var got []at
			for _, l := range a.locations() {
				got = append(got, at{l.URI, uint32(l.Range.Start.Line)})
			}
			require.Equal(t, test.want, got)
			require.False(t, a.full)
		})
	}
}

func TestLocationsBeyondTheLimitsAreDropped(t *testing.T) {
	type at = struct {
		uri  string
		line uint32
	}
	three := []at{{"file:///a", 1}, {"file:///a", 2}, {"file:///a", 3}}
	size := len("file:///a") + locationBytes
	tests := map[string]struct {
		limits Limits
		kept   int
		full   bool
	}{
		"as many as may be":   {Limits{Locations: 3, ResponseBytes: 3 * size}, 3, false},
		"one location more":   {Limits{Locations: 2, ResponseBytes: 3 * size}, 2, true},
		"one byte more":       {Limits{Locations: 3, ResponseBytes: 3*size - 1}, 2, true},
		"no room for the one": {Limits{Locations: 3, ResponseBytes: size - 1}, 0, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var a records
			collect(&a, &test.limits, three...)
			require.Len(t, a.locations(), test.kept)
			require.Equal(t, test.full, a.full)
		})
	}
}

func TestRanges(t *testing.T) {
	tests := map[string]struct {
		r    record
		want bool
	}{
		"empty":                        {record{0, 3, 4, 3, 4}, true},
		"on one line":                  {record{0, 3, 4, 3, 5}, true},
		"on more lines":                {record{0, 3, 4, 4, 0}, true},
		"the largest":                  {record{0, 0, 0, math.MaxInt32, math.MaxInt32}, true},
		"end before start":             {record{0, 3, 4, 3, 3}, false},
		"end on a line before":         {record{0, 3, 4, 2, 9}, false},
		"a start line too large":       {record{0, math.MaxInt32 + 1, 0, math.MaxUint32, 0}, false},
		"an end character too large":   {record{0, 0, 0, 1, math.MaxInt32 + 1}, false},
		"minus one, as some would say": {record{0, math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, test.r.valid()) })
	}
}

func TestWhatPathsMean(t *testing.T) {
	s := &space{
		root:     Root{Path: "/work space", URI: "file:///work%20space"},
		provider: &Provider{sourceRoots: []string{"/usr/lib/go"}},
	}
	const here = "file:///work%20space/"
	tests := map[string]struct {
		path, uri, problem string
	}{
		"plain":                           {"a.toy", here + "a.toy", ""},
		"in a folder":                     {"src/a.toy", here + "src/a.toy", ""},
		"not percent-encoded":             {"100%25 a.toy", here + "100%2525%20a.toy", ""},
		"with a dot":                      {"./src/./a.toy", here + "src/a.toy", ""},
		"up and back":                     {"src/../a.toy", here + "a.toy", ""},
		"two slashes":                     {"src//a.toy", here + "src/a.toy", ""},
		"dots that are a name":            {"..a/...", here + "..a/...", ""},
		"a colon is no scheme":            {"file:/etc/passwd", here + "file:/etc/passwd", ""},
		"another scheme":                  {"https://example.com/a?b#c", "https://example.com/a?b#c", ""},
		"another scheme, badly written":   {"x://a/\u00e9 \"<\u202e>[1]", "x://a/%C3%A9%20%22%3C%E2%80%AE%3E[1]", ""},
		"a scheme with all it may have":   {"a1+-.b://x", "a1+-.b://x", ""},
		"no scheme begins with a digit":   {"1a://x", here + "1a:/x", ""},
		"a file of a source root":         {"file:///usr/lib/go/src/fmt/print.go", "file:///usr/lib/go/src/fmt/print.go", ""},
		"empty":                           {"", "", "is empty"},
		"absolute":                        {"/etc/passwd", "", "is absolute"},
		"up":                              {"..", "", "leaves the workspace"},
		"up to a neighbour":               {"../a.toy", "", "leaves the workspace"},
		"down and further up":             {"src/../../a.toy", "", "leaves the workspace"},
		"NUL":                             {"a\x00.toy", "", "NUL"},
		"backslash":                       {`src\a.toy`, "", `has a \`},
		"a file":                          {"file:///etc/passwd", "", "outside the deployment's sourceRoots"},
		"a file of the workspace":         {here + "a.toy", "", "outside the deployment's sourceRoots"},
		"a file in capitals":              {"FILE:///etc/passwd", "", "outside the deployment's sourceRoots"},
		"out of a source root":            {"file:///usr/lib/go/../../../etc/passwd", "", "sourceRoots"},
		"out of a source root, encoded":   {"file:///usr/lib/go/%2e%2e/%2e%2e/etc/passwd", "", "sourceRoots"},
		"a neighbour of a source root":    {"file:///usr/lib/gopher/a.go", "", "sourceRoots"},
		"a file elsewhere":                {"file://host/share/a.toy", "", "file: URI"},
		"a URI that is none":              {"https://exa mple.com/%zz", "", "is no URI"},
		"a URI with a line break in it":   {"https://example.com/\n", "", "is no URI"},
		"a file with an encoded NUL":      {"file:///usr/lib/go/a%00b", "", "file: URI"},
		"a file with an encoded slash":    {"file:///usr/lib/go/a%2fb", "", "file: URI"},
		"a file with a query, as it were": {"file:///usr/lib/go/a?b", "", "file: URI"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			uri, problem := s.locate(test.path)
			if test.problem != "" {
				require.Contains(t, problem, test.problem)
				return
			}
			require.Empty(t, problem)
			require.Equal(t, test.uri, uri)
		})
	}
}

func TestShortenCutsBetweenCharacters(t *testing.T) {
	require.Equal(t, "abc", shorten("abc", 3))
	require.Equal(t, "ab…", shorten("abc", 2))
	require.Equal(t, "aä…", shorten("aäö", 3))
	require.Equal(t, "aä…", shorten("aäö", 4), "half of a character is none")
	require.Equal(t, "…", shorten(strings.Repeat("🍵", 3), 3))
}
