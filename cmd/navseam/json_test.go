package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
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
			got, err := encodeJSON(test.text)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
			var back string
			require.NoError(t, json.Unmarshal([]byte(got), &back))
			require.Equal(t, test.text, back, "it still means the same")
		})
	}
}

// Every character, in every place of an answer and of a failure.
func TestPrintedJSONHasNothingUnseen(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unseen(r) {
			all.WriteRune(r)
		}
	}
	data, err := json.Marshal(map[string]string{all.String(): all.String()})
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	c := &console{stdout: &stdout, stderr: &stderr, json: true}
	require.NoError(t, c.printJSON(seam.HoverResult{Hover: &seam.Hover{Contents: all.String()}}))
	status := c.report(seam.Errorf(seam.CodeProviderFailed, "%s: %w", all.String(), &seam.ServerError{Message: all.String(), Data: data}))
	require.Equal(t, statusFailed, status)
	for _, r := range strings.ReplaceAll(stdout.String(), "\n", "") {
		require.False(t, unseen(r), fmt.Sprintf("%U", r))
	}
	require.Equal(t, 2, strings.Count(stdout.String(), "\n"))
}
