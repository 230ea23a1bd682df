package trace

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Whatever a message is, what is written are lines of JSON, and neither a hidden value nor a
// text nor a named secret is in them.
func FuzzRedaction(f *testing.F) {
	for _, seed := range []string{
		`null`, `"text"`, `{"a":[1,2,{"text":"x"}]}`, `[["--token","x"],{"name":"KEY","value":"x"}]`, `{"":{"":[{}]}}`,
		`{"contents":{"kind":"markdown","value":"x"}}`, `{"settings":{"a.b":"x"},"token":"t"}`, "\"\u202e\u0085\"", `{"a":1,"a":2}`, `1e400`,
	} {
		f.Add([]byte(seed), "textDocument/hover", "before", "after")
	}
	f.Fuzz(func(t *testing.T, value []byte, method, before, after string) {
		if !json.Valid(value) || !utf8.Valid(value) || strings.Contains(string(value)+method+before+after, "Marker") {
			t.Skip()
		}
		around := func(marker string) string {
			text, err := json.Marshal(before + marker + after)
			require.NoError(t, err)
			return string(text)
		}
		name, err := json.Marshal(method)
		require.NoError(t, err)
		known, secret := around(planted), around(unknown)
		// In the place of each empty string and of each null of the value, a hidden one.
		filled := strings.ReplaceAll(strings.ReplaceAll(string(value), "null", known), `""`, known)
		if !json.Valid([]byte(filled)) {
			filled = string(value)
		}
		file := &memory{}
		l := newLog(file, 0, maxFileBytes)
		l.Hide(planted)
		w := l.Wire(before+planted, after+planted)
		for i, body := range []string{
			`{"id":` + known + `,"method":` + string(name) + `,"params":{"x":` + filled + `,` + known + `:1,"text":` + secret + `,"password":` + secret + `}}`,
			`{"id":` + known + `,"result":{"contents":[` + filled + `,` + secret + `],"token":[` + filled + `,` + secret + `]}}`,
			`{"id":1,"error":{"code":1,"message":` + known + `,"data":` + filled + `}}`,
			`{"method":` + known + `,"params":` + filled + `}`,
			filled,
		} {
			require.True(t, json.Valid([]byte(body)), body)
			w.Message(i%2 == 0, []byte(body), len(body))
		}
		m := l.Module(before, after)
		m.Request(method, before+"?"+planted+after)
		require.NoError(t, l.Close())
		require.Equal(t, 8, strings.Count(file.String(), "\n"))
		for line := range strings.Lines(file.String()) {
			require.True(t, json.Valid([]byte(line)), line)
		}
		require.NotContains(t, file.String(), planted)
		require.NotContains(t, file.String(), unknown)
	})
}
