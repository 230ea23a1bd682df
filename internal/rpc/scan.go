package rpc

const (
	headBytes = 1 << 10 // of a value, kept while a message streams past
	keyBytes  = 36      // "method" with every letter escaped
)

// scanner finds the id and the method of a message in bytes that stream past, in any
// order and however large the other values, without keeping these. It assumes JSON
// and survives anything else.
type scanner struct {
	id, method []byte // how they begin; empty while absent

	place    place
	depth    int // of brackets inside the envelope's own
	inString bool
	escaped  bool
	key      []byte
	head     *[]byte // where the value under way is kept, or nil
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
		s.step(p[i])
	}
	return len(p), nil
}

// step takes a byte outside of values, or one that ends a value.
func (s *scanner) step(b byte) {
	switch s.place {
	case beforeObject:
		switch {
		case b == '{':
			s.place = beforeKey
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
			if s.head != nil {
				*s.head = nil // the last of two counts
			}
		}
	case inValue:
		s.place = beforeKey
		if b != ',' {
			s.place = afterObject
		}
	}
}

func (s *scanner) keyByte(b byte) {
	if b == '"' && !s.escaped {
		s.place, s.head = afterKey, s.headOf(memberNamed(s.key))
		return
	}
	s.escaped = b == '\\' && !s.escaped
	if len(s.key) <= keyBytes {
		s.key = append(s.key, b)
	}
}

func (s *scanner) headOf(m member) *[]byte {
	switch m {
	case memberID:
		return &s.id
	case memberMethod:
		return &s.method
	default:
		return nil
	}
}

// value consumes bytes of a value and stops at the comma or bracket after it.
func (s *scanner) value(p []byte) int {
	n := s.skim(p)
	if s.head != nil {
		*s.head = append(*s.head, p[:min(n, headBytes-len(*s.head))]...)
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

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }
