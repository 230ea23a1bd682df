package langserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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

// Whatever a server answers, it is understood as encoding/json understands it.
func FuzzParseLocations(f *testing.F) {
	for _, seed := range []string{
		`null`, locA, linkB, `[` + locA + `,1]`, `{"uri":"a","range":null}`, `[[]]`, `{"\u0075ri":"\n\ud83d\ude00","range":` + rangeA + `}`,
		strings.ReplaceAll(locA, ":1,", ":1e0 ,"), strings.ReplaceAll(locA, ":1,", ":-0,"), strings.ReplaceAll(locA, ":1,", ":99999999999,"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		items, dropped, err := parseLocations(raw) // must not hang or panic, even on nonsense
		if !json.Valid(raw) || !utf8.Valid(raw) {
			return // the connection lets nothing else through
		}
		want, wantDropped, ok := slowLocations(raw)
		require.Equal(t, ok, err == nil, "%v", err)
		if ok {
			require.ElementsMatch(t, want, items)
			require.Equal(t, wantDropped, dropped)
		}
	})
}

// slowLocations decodes everything first, and looks at it then.
func slowLocations(raw []byte) (items []seam.Location, dropped int, ok bool) {
	var decoded any
	if json.Unmarshal(raw, &decoded) != nil {
		decoded = raw // numbers that no float holds
	}
	elements, isList := decoded.([]any)
	switch decoded.(type) {
	case nil:
		return nil, 0, true
	case map[string]any:
		elements, isList = []any{decoded}, true
	}
	if !isList {
		return nil, 0, false
	}
	for _, element := range elements {
		object, _ := element.(map[string]any)
		uri, isText := object["targetUri"].(string)
		r, isRange := slowRange(object["targetSelectionRange"])
		if !isText || !isRange {
			uri, _ = object["uri"].(string)
			r, isRange = slowRange(object["range"])
		}
		item := seam.Location{URI: uri, Range: r}
		switch {
		case uri == "" || !isRange:
			dropped++
		case !slices.Contains(items, item):
			items = append(items, item)
		}
	}
	return items, dropped, len(items) > 0 || dropped == 0
}

func slowRange(v any) (seam.Range, bool) {
	object, _ := v.(map[string]any)
	var numbers [4]int
	for i, path := range [][2]string{{"start", "line"}, {"start", "character"}, {"end", "line"}, {"end", "character"}} {
		point, _ := object[path[0]].(map[string]any)
		n, isNumber := point[path[1]].(float64)
		if !isNumber || n < 0 || n > 1<<31-1 || n != float64(int(n)) {
			return seam.Range{}, false
		}
		numbers[i] = int(n)
	}
	r := seam.Range{
		Start: seam.Position{Line: numbers[0], Character: numbers[1]},
		End:   seam.Position{Line: numbers[2], Character: numbers[3]},
	}
	return r, !r.End.Before(r.Start)
}

func BenchmarkParseLocations(b *testing.B) {
	list := []byte("[")
	for i := range 10_000 {
		list = fmt.Appendf(list, `{"uri":"file:///some/folder/of/a/workspace/file%d.go","range":{"start":{"line":%d,"character":12},"end":{"line":%d,"character":19}}},`, i/20, i, i)
	}
	list[len(list)-1] = ']'
	b.ReportAllocs()
	b.SetBytes(int64(len(list)))
	for b.Loop() {
		items, _, err := parseLocations(list)
		if err != nil || len(items) != 10_000 {
			b.Fatal(len(items), err)
		}
	}
}
