package egress

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cleanPath gives a path without dot segments and needless percent-encoding. It refuses what one
// server reads in one way and the next in another: empty segments, and segments that hide dots,
// backslashes or control characters however often they are encoded. An encoded slash inside a
// segment is kept; some servers need it, and decoded it leads deeper, never up.
func cleanPath(raw string) (string, error) {
	if raw == "" {
		return "/", nil
	}
	plain, err := encodePlainly(raw[1:]) // the first byte is the slash
	if err != nil {
		return "", err
	}
	var clean []string
	segments := strings.Split(plain, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch {
		case segment == "" && !last:
			return "", fmt.Errorf("%w: the path %s has an empty segment: write single slashes", ErrBadRequest, quote(raw))
		case segment == ".." && len(clean) > 0:
			clean = clean[:len(clean)-1]
		case segment != "." && segment != ".." && segment != "":
			if err := checkSegment(segment); err != nil {
				return "", err
			}
			clean = append(clean, segment)
			continue
		}
		if last { // a folder: it ends in a slash
			clean = append(clean, "")
		}
	}
	return "/" + strings.Join(clean, "/"), nil
}

// encodePlainly decodes what needs no percent-encoding and encodes what does.
func encodePlainly(raw string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '%' {
			decoded, ok := unhex(raw[i:])
			if !ok {
				return "", fmt.Errorf("%w: the path %s has a %% without two hexadecimal digits: write %%25", ErrBadRequest, quote(raw))
			}
			i += 2
			if isUnreserved(decoded) {
				b.WriteByte(decoded)
			} else {
				fmt.Fprintf(&b, "%%%02X", decoded)
			}
			continue
		}
		if isUnreserved(c) || strings.IndexByte("/!$&'()*+,;=:@", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String(), nil
}

const maxEncodings = 4

func checkSegment(segment string) error {
	refuse := func(why string) error {
		return fmt.Errorf("%w: the path segment %s %s", ErrBadRequest, quote(segment), why)
	}
	seen := segment
	for range maxEncodings {
		for part := range strings.SplitSeq(seen, "/") {
			name, _, _ := strings.Cut(part, ";") // some servers cut parameters off first
			if name == "." || name == ".." || part == "" {
				return refuse("hides dots or slashes")
			}
		}
		if !utf8.ValidString(seen) {
			return refuse("is not UTF-8")
		}
		for i := range len(seen) {
			if c := seen[i]; c < ' ' || c == 0x7f || c == '\\' {
				return refuse("holds a backslash or a control character")
			}
		}
		next := decodeOnce(seen)
		if next == seen {
			return nil
		}
		seen = next
	}
	return refuse("is encoded too many times")
}

// decodeOnce decodes what can be decoded, as a lenient server does.
func decodeOnce(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c, ok := unhex(s[i:]); ok {
			b = append(b, c)
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// encodeForeign encodes the bytes that a URL must not hold in any place.
func encodeForeign(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

// unhex reads the %XX that s begins with.
func unhex(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	const digits = "0123456789abcdef"
	high := strings.IndexByte(digits, s[1]|0x20)
	low := strings.IndexByte(digits, s[2]|0x20)
	return byte(high<<4 | low), high >= 0 && low >= 0
}

func isUnreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("-._~", c) >= 0
}
