package langserver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestParseHover(t *testing.T) {
	span := &seam.Range{Start: seam.Position{Line: 1, Character: 2}, End: seam.Position{Line: 1, Character: 5}}
	cases := []struct {
		name  string
		raw   string
		want  *seam.Hover
		fails bool
	}{
		{name: "A-148 null", raw: `null`},
		{name: "A-148 text", raw: `"x"`, fails: true},
		{name: "A-148 list", raw: `[]`, fails: true},
		{name: "A-149 text is verbatim", raw: `{"contents":" a <b>\n"}`, want: &seam.Hover{Contents: " a <b>\n"}},
		{name: "A-150 markdown", raw: `{"contents":{"kind":"markdown","value":"**x**"}}`, want: &seam.Hover{Contents: "**x**"}},
		{name: "A-150 plaintext", raw: `{"contents":{"kind":"plaintext","value":"x"}}`, want: &seam.Hover{Contents: "x"}},
		{name: "A-150 value is no text", raw: `{"contents":{"kind":"markdown","value":1}}`, fails: true},
		{name: "A-150 unknown kind", raw: `{"contents":{"kind":"html","value":"x"}}`, fails: true},
		{name: "A-150 kind wins over language", raw: `{"contents":{"kind":"markdown","language":"go","value":"x"}}`, want: &seam.Hover{Contents: "x"}},
		{name: "A-151 language", raw: `{"contents":{"language":"go","value":"var x int"}}`, want: &seam.Hover{Contents: "```go\nvar x int\n```"}},
		{name: "A-151 a fence in the value", raw: "{\"contents\":{\"language\":\"md\",\"value\":\"```\"}}", want: &seam.Hover{Contents: "````md\n```\n````"}},
		{name: "A-152 list", raw: `{"contents":["a",{"language":"go","value":"b"},"c"]}`, want: &seam.Hover{Contents: "a\n\n```go\nb\n```\n\nc"}},
		{name: "A-152 empty parts add no blank line", raw: `{"contents":["","a",""]}`, want: &seam.Hover{Contents: "a"}},
		{name: "A-152 markup in a list", raw: `{"contents":[{"kind":"markdown","value":"x"}]}`, fails: true},
		{name: "A-152 number in a list", raw: `{"contents":["a",1]}`, fails: true},
		{name: "A-153 no contents", raw: `{}`, fails: true},
		{name: "A-153 null contents", raw: `{"contents":null}`, fails: true},
		{name: "A-153 unknown object", raw: `{"contents":{"value":"x"}}`, fails: true},
		{name: "A-153 number", raw: `{"contents":7}`, fails: true},
		{name: "A-154 empty text", raw: `{"contents":""}`},
		{name: "A-154 empty markup", raw: `{"contents":{"kind":"markdown","value":""}}`},
		{name: "A-154 empty list", raw: `{"contents":[]}`},
		{name: "A-154 empty before the range", raw: `{"contents":"","range":"broken"}`},
		{name: "A-154 blank is kept", raw: `{"contents":" "}`, want: &seam.Hover{Contents: " "}},
		{name: "A-155 range", raw: `{"contents":"x","range":` + rangeA + `}`, want: &seam.Hover{Contents: "x", Range: span}},
		{name: "A-155 null range is absent", raw: `{"contents":"x","range":null}`, want: &seam.Hover{Contents: "x"}},
		{name: "A-155 broken range", raw: `{"contents":"x","range":{"start":{"line":1}}}`, fails: true},
		{name: "A-155 range is text", raw: `{"contents":"x","range":"1"}`, fails: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseHover(json.RawMessage(c.raw))
			if c.fails {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
