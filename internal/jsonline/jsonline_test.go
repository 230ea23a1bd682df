package jsonline

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSONHasNothingUnseen(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"C0":                     {"a\x1b[31mb", `"a\u001b[31mb"`},
		"DEL":                    {"a\x7fb", `"a\u007fb"`},
		"first of C1":            {"a\u0080b", `"a\u0080b"`},
		"CSI in one character":   {"a\u009b31mb", `"a\u009b31mb"`},
		"last of C1":             {"a\u009fb", `"a\u009fb"`},
		"the next is a space":    {"a\u00a0b", "\"a\u00a0b\""},
		"line separators":        {"a\u2028b\u2029c", `"a\u2028b\u2029c"`},
		"right-to-left override": {"a\u202eb\u2066c", `"a\u202eb\u2066c"`},
		"zero width":             {"a\u200bb\u200dc\ufeffd", `"a\u200bb\u200dc\ufeffd"`},
		"soft hyphen":            {"a\u00adb", `"a\u00adb"`},
		"tags, of two units":     {"a\U000e0041b", `"a\udb40\udc41b"`},
		"letters of any script":  {"Größe 😀 名 שלום", `"Größe 😀 名 שלום"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Encode(test.text)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
			var back string
			require.NoError(t, json.Unmarshal([]byte(got), &back))
			require.Equal(t, test.text, back, "it still means the same")
		})
	}
}
