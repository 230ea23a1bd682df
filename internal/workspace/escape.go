package workspace

import (
	"errors"
	"fmt"
	"strings"
)

// escape percent-encodes all but the unreserved characters and sub-delimiters of
// RFC 3986 and those in more.
func escape(text, more string) string {
	const hex = "0123456789ABCDEF"
	plain := 0
	for plain < len(text) && isPlain(text[plain], more) {
		plain++
	}
	if plain == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	b.WriteString(text[:plain])
	for _, c := range []byte(text[plain:]) {
		if isPlain(c, more) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func isPlain(c byte, more string) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	default:
		return strings.IndexByte("-._~!$&'()*+,;=", c) >= 0 || strings.IndexByte(more, c) >= 0
	}
}

// unescape decodes one part of a URI. An escape must not stand for a separator,
// which would make one name into two.
func (s style) unescape(text string) (string, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return "", errors.New("a NUL byte is in no path")
	}
	i := strings.IndexByte(text, '%')
	if i < 0 {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	for ; i >= 0; i = strings.IndexByte(text, '%') {
		b.WriteString(text[:i])
		text = text[i:]
		c, ok := unhex(text)
		switch {
		case !ok:
			return "", fmt.Errorf("the escape %.3q is malformed: a percent sign is written %%25", text)
		case c == 0:
			return "", errors.New("a NUL byte is in no path")
		case c == '/', c == '\\' && s == windows:
			return "", fmt.Errorf("the escape %.3q stands for a separator", text)
		}
		b.WriteByte(c)
		text = text[len("%00"):]
	}
	b.WriteString(text)
	return b.String(), nil
}

// unhex decodes the escape that text begins with.
func unhex(text string) (byte, bool) {
	if len(text) < len("%00") {
		return 0, false
	}
	high, okHigh := digit(text[1])
	low, okLow := digit(text[2])
	return high<<4 | low, okHigh && okLow
}

func digit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	default:
		return 0, false
	}
}
