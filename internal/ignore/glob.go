package ignore

import "strings"

// glob is a pattern of git's wildmatch, which works on bytes. It is matched in one pass
// over the text, whatever its stars: a pattern is somebody else's.
type glob []token

type token struct {
	kind tokenKind
	set  set
}

type tokenKind uint8

const (
	one   tokenKind = iota // a byte of the set
	many                   // any bytes but slashes
	deep                   // any bytes
	maybe                  // stands before a deep and a slash, which may match nothing together
)

// set is a set of bytes.
type set [4]uint64

func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) remove(c byte)   { s[c>>6] &^= 1 << (c & 63) }
func (s *set) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *set) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// compile reads a pattern. One that is malformed matches nothing.
func compile(pattern string) (glob, bool) {
	var g glob
	for i := 0; i < len(pattern); {
		var t token
		switch c := pattern[i]; c {
		case '*':
			stars := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], "*"))
			t.kind = starsKind(pattern, i, stars)
			if i += stars; t.kind == deep && strings.HasPrefix(pattern[i:], "/") {
				g = append(g, token{kind: maybe})
			}
		case '?':
			t.set.invert()
			t.set.remove('/')
			i++
		case '[':
			size, ok := t.set.read(pattern[i:])
			if !ok {
				return nil, false
			}
			i += size
		case '\\':
			if i++; i == len(pattern) {
				return nil, false
			}
			t.set.add(pattern[i])
			i++
		default:
			t.set.add(c)
			i++
		}
		g = append(g, t)
	}
	return g, true
}

// special are the characters that make a pattern more than a text.
const special = `*?[\`

// starsKind says what stars mean: two or more are special where they are all of a name.
// Git takes them for that also right behind plain text, as in a**/b, although its manual
// says otherwise.
func starsKind(pattern string, at, stars int) tokenKind {
	begins := !strings.ContainsAny(pattern[:at], special) || pattern[at-1] == '/'
	rest := pattern[at+stars:]
	switch {
	case stars == 1 || !begins:
		return many
	case rest == "", rest[0] == '/', strings.HasPrefix(rest, `\/`):
		return deep
	default:
		return many
	}
}

// read reads a set such as [!a-z[:digit:]] and says how long it is. None holds a slash.
func (s *set) read(text string) (size int, ok bool) {
	i := 1
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	previous := byte(0) // that a range may begin with
	for first := true; ; first = false {
		if i >= len(text) {
			return 0, false
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			if negated {
				s.invert()
			}
			s.remove('/')
			return i + 1, true
		case c == '\\':
			if i++; i >= len(text) {
				return 0, false
			}
			c = text[i]
			s.add(c)
		case c == '-' && previous != 0 && i+1 < len(text) && text[i+1] != ']':
			if i++; text[i] == '\\' {
				i++
			}
			if i >= len(text) {
				return 0, false
			}
			s.addRange(previous, text[i])
			c = 0
		case c == '[' && strings.HasPrefix(text[i:], "[:"):
			end := strings.IndexByte(text[i+2:], ']')
			if end < 0 {
				return 0, false
			}
			name, closed := strings.CutSuffix(text[i+2:i+2+end], ":")
			if !closed { // an ordinary bracket
				s.add(c)
				break
			}
			if !s.addClass(name) {
				return 0, false
			}
			i += 2 + end
			c = 0
		default:
			s.add(c)
		}
		previous = c
		i++
	}
}

// addClass adds the ASCII characters of a class of POSIX.
func (s *set) addClass(name string) bool {
	ranges, ok := map[string]string{ // pairs of first and last
		"alnum": "azAZ09", "alpha": "azAZ", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09",
		"graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "  \t\r", "upper": "AZ", "xdigit": "09afAF",
	}[name]
	for i := 0; i < len(ranges); i += 2 {
		s.addRange(ranges[i], ranges[i+1])
	}
	return ok
}

// match reports whether all of the text is what the pattern describes.
func (g glob) match(text string) bool {
	now, next := make([]bool, len(g)+1), make([]bool, len(g)+1)
	g.reach(now, 0)
	for i := range len(text) {
		c := text[i]
		clear(next)
		for at, t := range g {
			switch {
			case !now[at]:
			case t.kind == one && t.set.has(c):
				g.reach(next, at+1)
			case t.kind == deep, t.kind == many && c != '/':
				g.reach(next, at)
			}
		}
		now, next = next, now
	}
	return now[len(g)]
}

// reach notes that the pattern may go on at a token, and where that may match nothing.
func (g glob) reach(states []bool, at int) {
	for ; !states[at]; at++ {
		states[at] = true
		if at == len(g) || g[at].kind == one {
			return
		}
		if g[at].kind == maybe {
			g.reach(states, at+3)
		}
	}
}
