package langserver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigurationItems(t *testing.T) {
	settings := json.RawMessage(`{"python":{"analysis":{"mode":"strict"},"flat.key":1},"editor.tabSize":4,"nothing":null}`)
	cases := []struct {
		name   string
		config Config
		params string
		want   string
	}{
		{"A-117 one copy an item, sections ignored", Config{Configuration: json.RawMessage(`{"a":1}`)}, `{"items":[{"section":"x"},{"scopeUri":"file:///y"}]}`, `[{"a":1},{"a":1}]`},
		{"A-117 no items", Config{Configuration: json.RawMessage(`{"a":1}`)}, `{"items":[]}`, `[]`},
		{"A-117 no params", Config{Configuration: json.RawMessage(`{"a":1}`)}, `null`, `[]`},
		{"A-117 configuration before settings", Config{Configuration: json.RawMessage(`1`), Settings: settings}, `{"items":[{}]}`, `[1]`},
		{"section", Config{Settings: settings}, `{"items":[{"section":"python.analysis"},{"section":"python.analysis.mode"}]}`, `[{"mode":"strict"},"strict"]`},
		{"no section is everything", Config{Settings: json.RawMessage(`{"a":1}`)}, `{"items":[{}]}`, `[{"a":1}]`},
		{"missing is null", Config{Settings: settings}, `{"items":[{"section":"ruby"},{"section":"python.analysis.mode.x"},{"section":"nothing"}]}`, `[null,null,null]`},
		{"keys with dots", Config{Settings: settings}, `{"items":[{"section":"editor.tabSize"},{"section":"python.flat.key"}]}`, `[4,1]`},
		{"neither: null each", Config{}, `{"items":[{"section":"a"},{}]}`, `[null,null]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(c.config.configurationItems(json.RawMessage(c.params)))
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(got))
		})
	}
}

func TestAnnouncedSettings(t *testing.T) {
	require.JSONEq(t, `{"a":1}`, string(Config{Configuration: json.RawMessage(`{"a":1}`)}.announced()))
	require.JSONEq(t, `{"b":1}`, string(Config{Settings: json.RawMessage(`{"b":1}`)}.announced()))
	require.JSONEq(t, `null`, string(Config{}.announced()))
}
