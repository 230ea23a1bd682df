package langserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func loc(uri string, line, start, end int) seam.Location {
	return seam.Location{URI: uri, Range: seam.Range{
		Start: seam.Position{Line: line, Character: start},
		End:   seam.Position{Line: line, Character: end},
	}}
}

const (
	rangeA = `{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`
	rangeB = `{"start":{"line":9,"character":0},"end":{"line":9,"character":1}}`
	locA   = `{"uri":"file:///a","range":` + rangeA + `}`
	linkB  = `{"targetUri":"file:///b","targetRange":` + rangeA + `,"targetSelectionRange":` + rangeB + `}`
)

func TestParseLocations(t *testing.T) {
	a, b := loc("file:///a", 1, 2, 5), loc("file:///b", 9, 0, 1)
	cases := []struct {
		name    string
		raw     string
		want    []seam.Location
		dropped int
		fails   bool
	}{
		{name: "A-141 null", raw: `null`},
		{name: "A-142 empty list", raw: `[]`, want: []seam.Location{}},
		{name: "A-142 single object", raw: locA, want: []seam.Location{a}},
		{name: "A-142 single link", raw: linkB, want: []seam.Location{b}},
		{name: "A-142 mixed list in order", raw: `[` + linkB + `,` + locA + `]`, want: []seam.Location{b, a}},
		{name: "A-142 duplicates once", raw: `[` + locA + `,` + linkB + `,` + locA + `]`, want: []seam.Location{a, b}},
		{name: "A-143 link first", raw: `{"uri":"file:///a","range":` + rangeA + `,"targetUri":"file:///b","targetSelectionRange":` + rangeB + `}`, want: []seam.Location{b}},
		{name: "A-143 link without selection is no link", raw: `{"targetUri":"file:///b","targetRange":` + rangeB + `}`, fails: true},
		{name: "A-143 broken link, good location", raw: `{"uri":"file:///a","range":` + rangeA + `,"targetUri":"file:///b"}`, want: []seam.Location{a}},
		{name: "A-144 no uri", raw: `{"range":` + rangeA + `}`, fails: true},
		{name: "A-144 uri is a number", raw: `{"uri":1,"range":` + rangeA + `}`, fails: true},
		{name: "A-144 no range", raw: `{"uri":"file:///a"}`, fails: true},
		{name: "A-145 extra members", raw: `{"uri":"file:///a","x":1,"range":{"start":{"line":1,"character":2,"y":[]},"end":{"line":1,"character":5}}}`, want: []seam.Location{a}},
		{name: "A-145 negative", raw: withRange(-1, 0, 0, 0), fails: true},
		{name: "A-145 start after end, other line", raw: withRange(2, 0, 1, 9), fails: true},
		{name: "A-145 start after end, same line", raw: withRange(2, 5, 2, 4), fails: true},
		{name: "A-145 empty range", raw: withRange(2, 5, 2, 5), want: []seam.Location{loc("file:///a", 2, 5, 5)}},
		{name: "A-145 largest", raw: withRange(0, 0, 0, 1<<31-1), want: []seam.Location{loc("file:///a", 0, 0, 1<<31-1)}},
		{name: "A-145 above the largest", raw: withRange(0, 0, 0, 1<<31), fails: true},
		{name: "A-145 a fraction", raw: strings.ReplaceAll(locA, `"line":1`, `"line":1.5`), fails: true},
		{name: "A-145 a whole number written as a fraction", raw: strings.ReplaceAll(locA, `"line":1`, `"line":1.0`), want: []seam.Location{a}},
		{name: "A-145 a coordinate as text", raw: strings.ReplaceAll(locA, `"line":1`, `"line":"1"`), fails: true},
		{name: "A-145 a null coordinate", raw: strings.ReplaceAll(locA, `"line":1`, `"line":null`), fails: true},
		{name: "A-145 huge number", raw: strings.ReplaceAll(locA, `"line":1`, `"line":1e400`), fails: true},
		{name: "A-146 the usable ones are kept", raw: `[1,` + locA + `,null,"x",{},` + withRange(-1, 0, 0, 0) + `]`, want: []seam.Location{a}, dropped: 5},
		{name: "A-146 none is usable", raw: `[1,{}]`, fails: true},
		{name: "A-147 false", raw: `false`, fails: true},
		{name: "A-147 zero", raw: `0`, fails: true},
		{name: "A-147 empty text", raw: `""`, fails: true},
		{name: "A-147 empty object", raw: `{}`, fails: true},
		{name: "A-147 empty uri", raw: strings.ReplaceAll(locA, "file:///a", ""), fails: true},
		{name: "A-147 empty target uri", raw: strings.ReplaceAll(linkB, "file:///b", ""), fails: true},
		{name: "A-031 any scheme, unchanged", raw: strings.ReplaceAll(locA, "file:///a", "jdt://x/Y%20z?a#b"), want: []seam.Location{loc("jdt://x/Y%20z?a#b", 1, 2, 5)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, dropped, err := parseLocations(json.RawMessage(c.raw))
			if c.fails {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.Equal(t, c.dropped, dropped)
		})
	}
}

func withRange(sl, sc, el, ec int) string {
	return fmt.Sprintf(`{"uri":"file:///a","range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}}`, sl, sc, el, ec)
}

// Whatever a server answers, parsing ends in locations that hold the rules, or an error.
func FuzzParseLocations(f *testing.F) {
	for _, seed := range []string{`null`, locA, linkB, `[` + locA + `,1]`, `{"uri":"a","range":null}`, `[[]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // the connection lets nothing else through
		}
		items, _, err := parseLocations(raw)
		if err != nil {
			return
		}
		seen := map[seam.Location]bool{}
		for _, item := range items {
			require.NotEmpty(t, item.URI)
			require.False(t, item.Range.End.Before(item.Range.Start))
			require.False(t, seen[item])
			seen[item] = true
		}
	})
}

func BenchmarkParseLocations(b *testing.B) {
	one := strings.Repeat(locA+",", 9999) + locA
	parts := strings.Split(one, "file:///a")
	var list strings.Builder
	list.WriteString("[")
	for i, part := range parts {
		list.WriteString(part)
		if i < len(parts)-1 {
			fmt.Fprintf(&list, "file:///a/%d", i)
		}
	}
	list.WriteString("]")
	raw := json.RawMessage(list.String())
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		items, _, err := parseLocations(raw)
		if err != nil || len(items) != 10000 {
			b.Fatal(len(items), err)
		}
	}
}
