// Package jsonline gives values as lines of JSON that may be shown on a terminal, whoever
// wrote the texts in them.
package jsonline

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Encode gives one line, without its end, that no terminal acts on. The encoder of the standard
// library escapes the controls below U+0020 and the two line separators; here go DEL, U+0080 to
// U+009F, which some terminals take for ESC and a letter, and what is not seen but turns text
// around or hides it.
func Encode(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	return escape(string(text)), nil
}

// escape works on the whole line: such characters stand in strings only.
func escape(line string) string {
	if strings.IndexFunc(line, Unseen) < 0 {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		switch {
		case !Unseen(r):
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

// Unseen reports whether a character acts on a terminal or is not seen there.
func Unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
