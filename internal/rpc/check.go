package rpc

import (
	"bytes"
	"encoding/json"
)

// A member of the envelope that decides what a message is.
type member int

const (
	noMember member = iota - 1
	memberID
	memberMethod
	memberParams
	memberResult
	memberError
	memberCount
)

func memberNamed(key []byte) member {
	name := string(key)
	if bytes.IndexByte(key, '\\') >= 0 && json.Unmarshal([]byte(`"`+name+`"`), &name) != nil {
		return noMember
	}
	switch name {
	case "id":
		return memberID
	case "method":
		return memberMethod
	case "params":
		return memberParams
	case "result":
		return memberResult
	case "error":
		return memberError
	default:
		return noMember
	}
}

// envelope is the values of these members, nil where absent.
type envelope [memberCount]json.RawMessage

// maxDepth is how deep encoding/json lets values be nested. It bounds the stack, too.
const maxDepth = 10_000

// checker walks through a whole message once: it finds the members of the envelope, and
// tells whether all of it is JSON as encoding/json has it, in a third of the time. Each method
// steps over what it is named after, if that comes next, and reports whether it did.
type checker struct {
	data     []byte
	at       int
	depth    int
	envelope envelope
}

func (c *checker) message() bool {
	return c.value() && c.next() == 0 && c.at == len(c.data)
}

// next skips blanks and returns the byte that follows, 0 at the end.
func (c *checker) next() byte {
	for ; c.at < len(c.data); c.at++ {
		if b := c.data[c.at]; b > ' ' || !isSpace(b) {
			return b
		}
	}
	return 0
}

func (c *checker) byte() byte {
	if c.at < len(c.data) {
		return c.data[c.at]
	}
	return 0
}

func (c *checker) take(b byte) bool {
	if c.next() != b {
		return false
	}
	c.at++
	return true
}

func (c *checker) value() bool {
	switch c.next() {
	case '{':
		return c.nested('}', c.member)
	case '[':
		return c.nested(']', c.value)
	case '"':
		return c.text()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

// nested is a list of members or elements.
func (c *checker) nested(closing byte, one func() bool) bool {
	c.at++
	if c.depth++; c.depth > maxDepth {
		return false
	}
	if !c.take(closing) {
		for ok := true; ok; ok = c.take(',') {
			if !one() {
				return false
			}
		}
		if !c.take(closing) {
			return false
		}
	}
	c.depth--
	return true
}

func (c *checker) member() bool {
	if c.next() != '"' {
		return false
	}
	start := c.at
	if !c.text() {
		return false
	}
	key := c.data[start+1 : c.at-1]
	if !c.take(':') {
		return false
	}
	c.next()
	start = c.at
	if !c.value() {
		return false
	}
	if c.depth == 1 {
		if m := memberNamed(key); m != noMember {
			c.envelope[m] = c.data[start:c.at:c.at]
		}
	}
	return true
}
