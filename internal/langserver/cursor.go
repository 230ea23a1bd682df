package langserver

import (
	"encoding/json"
	"strconv"
)

// cursor walks through JSON that is known to be valid, in one pass and without decoding
// what nobody asks for. An answer with thousands of locations is most of what is decoded
// on the query path; encoding/json takes ten times as long for it.
//
// Every method leaves the cursor behind the value that it read or skipped, and reports
// false when the value is of another kind. On invalid JSON it stops early.
type cursor struct {
	data []byte
	at   int
}

// next skips blanks and returns the byte that follows, 0 at the end.
func (c *cursor) next() byte {
	for ; c.at < len(c.data); c.at++ {
		if b := c.data[c.at]; b > ' ' || b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b
		}
	}
	return 0
}

// take steps over a byte if it is the next.
func (c *cursor) take(b byte) bool {
	if c.next() != b {
		return false
	}
	c.at++
	return true
}

// object calls member for each member, which reads its value or leaves it alone.
func (c *cursor) object(member func(key []byte)) bool {
	if c.next() != '{' {
		c.skip()
		return false
	}
	c.at++
	for !c.take('}') {
		key, ok := c.text()
		if !ok || !c.take(':') {
			c.at = len(c.data)
			return false
		}
		before := c.at
		member(key)
		if c.at == before {
			c.skip()
		}
		c.take(',')
	}
	return true
}

// array calls element for each element, which reads or skips it.
func (c *cursor) array(element func()) bool {
	if c.next() != '[' {
		c.skip()
		return false
	}
	c.at++
	for !c.take(']') {
		if c.next() == 0 {
			return false
		}
		element()
		c.take(',')
	}
	return true
}

// text reads a string. The result is only good until the data changes.
func (c *cursor) text() ([]byte, bool) {
	if c.next() != '"' {
		c.skip()
		return nil, false
	}
	start := c.at
	if escaped := c.skipText(); !escaped {
		return c.data[start+1 : max(start+1, c.at-1)], true
	}
	var decoded string
	err := json.Unmarshal(c.data[start:c.at], &decoded)
	return []byte(decoded), err == nil
}

// whole reads a number without a fraction, from 0 to limit. 1.0 and 1e1 are such: JSON has
// no integers.
func (c *cursor) whole(limit int) (int, bool) {
	c.next()
	start, n := c.at, 0
	for c.at < len(c.data) && c.at-start < maxDigits && '0' <= c.data[c.at] && c.data[c.at] <= '9' {
		n = 10*n + int(c.data[c.at]-'0')
		c.at++
	}
	if c.at > start && c.at < len(c.data) && ends(c.data[c.at]) {
		return n, n <= limit
	}
	c.at = start
	return c.unusual(limit)
}

// maxDigits keeps a number within an int.
const maxDigits = 10

// unusual reads a number in one of the longer spellings.
func (c *cursor) unusual(limit int) (int, bool) {
	start := c.at
	c.skip()
	token := c.data[start:c.at]
	if n, err := strconv.Atoi(string(token)); err == nil {
		return n, n >= 0 && n <= limit
	}
	n, err := strconv.ParseFloat(string(token), 64)
	if err != nil || n < 0 || n > float64(limit) || n != float64(int(n)) {
		return 0, false
	}
	return int(n), true
}

// skip steps over a value of any kind.
func (c *cursor) skip() {
	switch c.next() {
	case '"':
		c.skipText()
	case '{', '[':
		c.skipNested()
	default:
		start := c.at
		for c.at < len(c.data) && !ends(c.data[c.at]) {
			c.at++
		}
		if c.at == start {
			c.at = len(c.data) // nonsense
		}
	}
}

// ends reports whether a byte ends a number or a literal.
func ends(b byte) bool {
	return b == ',' || b == ']' || b == '}' || b <= ' '
}

func (c *cursor) skipNested() {
	depth := 0
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case '"':
			c.skipText()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.at++
		if depth == 0 {
			return
		}
	}
}

// skipText steps over a string, whose opening quote is next, and reports whether there is a
// backslash in it.
func (c *cursor) skipText() (escaped bool) {
	for c.at++; c.at < len(c.data); {
		c.at += plain(c.data[c.at:])
		if c.at == len(c.data) {
			break
		}
		if c.data[c.at] == '"' {
			c.at++
			return escaped
		}
		escaped = true
		c.at += 2
	}
	c.at = len(c.data)
	return escaped
}

// plain is how many bytes come before a quote or a backslash.
func plain(p []byte) int {
	for i, b := range p {
		if b == '"' || b == '\\' {
			return i
		}
	}
	return len(p)
}
