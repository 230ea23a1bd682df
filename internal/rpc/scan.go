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

const (
	headBytes = 1 << 10 // of a value, kept while a message streams past
	keyBytes  = 36      // "method" with every letter escaped
)

// span is where the value of a member lies.
type span struct {
	start, end int // end is 0 while the member is absent
	head       []byte
}

func (s *span) in(body []byte) json.RawMessage {
	if s.end == 0 {
		return nil
	}
	return bytes.TrimSpace(body[s.start:s.end])
}

// scanner finds the members of an envelope in bytes that stream past, in any
// order and however large their values, without keeping them. It assumes JSON
// and survives anything else.
type scanner struct {
	spans  [memberCount]span
	object bool

	place    place
	offset   int
	depth    int // of brackets inside the envelope's own
	inString bool
	escaped  bool
	key      []byte
	current  member
}

type place int

const (
	beforeObject place = iota
	beforeKey
	inKey
	afterKey
	inValue
	afterObject
)

// Write takes the next part of the message. It never fails.
func (s *scanner) Write(p []byte) (int, error) {
	for i := 0; i < len(p); i++ {
		if s.place == inValue {
			i += s.value(p[i:])
			if i == len(p) {
				break
			}
		}
		s.step(p[i], s.offset+i)
	}
	s.offset += len(p)
	return len(p), nil
}

// step takes a byte outside of values, or one that ends a value.
func (s *scanner) step(b byte, at int) {
	switch s.place {
	case beforeObject:
		switch {
		case b == '{':
			s.object, s.place = true, beforeKey
		case !isSpace(b):
			s.place = afterObject
		}
	case beforeKey:
		switch b {
		case '"':
			s.key, s.place = s.key[:0], inKey
		case '}':
			s.place = afterObject
		}
	case inKey:
		s.keyByte(b)
	case afterKey:
		if b == ':' {
			s.place = inValue
			if s.current != noMember {
				s.spans[s.current] = span{start: at + 1}
			}
		}
	case inValue:
		if s.current != noMember {
			s.spans[s.current].end = at
		}
		s.place = beforeKey
		if b != ',' {
			s.place = afterObject
		}
	}
}

func (s *scanner) keyByte(b byte) {
	if b == '"' && !s.escaped {
		s.place, s.current = afterKey, memberNamed(s.key)
		return
	}
	s.escaped = b == '\\' && !s.escaped
	if len(s.key) <= keyBytes {
		s.key = append(s.key, b)
	}
}

// value consumes bytes of a value and stops at the comma or bracket after it.
func (s *scanner) value(p []byte) int {
	n := s.skim(p)
	if s.current == memberID || s.current == memberMethod {
		head := &s.spans[s.current].head
		*head = append(*head, p[:min(n, headBytes-len(*head))]...)
	}
	return n
}

func (s *scanner) skim(p []byte) int {
	for i, b := range p {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.escaped = b == '\\'
			s.inString = b != '"'
		case b == '"':
			s.inString = true
		case b == '{' || b == '[':
			s.depth++
		case s.depth == 0 && (b == ',' || b == '}' || b == ']'):
			return i
		case b == '}' || b == ']':
			s.depth--
		}
	}
	return len(p)
}

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

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }
