package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// encodeJSON gives one line of JSON that no terminal acts on. The encoder escapes the controls
// below U+0020 and the two line separators; here go DEL, U+0080 to U+009F, which some terminals
// take for ESC and a letter, and what is not seen but turns text around or hides it.
func encodeJSON(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	return escapeUnseen(string(text)), nil
}

// escapeUnseen works on the whole line: such characters stand in strings only.
func escapeUnseen(line string) string {
	if strings.IndexFunc(line, unseen) < 0 {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
