package seam

import (
	"strings"
	"unicode/utf8"
)

// Text converts between positions and byte offsets of one UTF-8 text. Lines end
// at "\n", "\r\n" and "\r", as in the Language Server Protocol. A byte-order mark
// counts as a character: take it off before.
type Text struct {
	content string
	starts  []int // byte offset of the first byte of each line
}

// NewText indexes the lines of content.
func NewText(content string) *Text {
	t := &Text{content: content, starts: []int{0}}
	for offset := 0; ; {
		end, next := lineEnd(content, offset)
		if next == end {
			return t
		}
		t.starts = append(t.starts, next)
		offset = next
	}
}

// Lines returns the number of lines. A text that ends in a line break has an
// empty last line; an empty text has one line.
func (t *Text) Lines() int { return len(t.starts) }

// Line returns the text of a line without its line break, and whether there is
// such a line.
func (t *Text) Line(line int) (string, bool) {
	if line < 0 || line >= len(t.starts) {
		return "", false
	}
	end, _ := lineEnd(t.content, t.starts[line])
	return t.content[t.starts[line]:end], true
}

// Offset returns the byte offset of a position. A position between the two units
// of a surrogate pair is the start of its character.
func (t *Text) Offset(p Position) (int, error) {
	text, ok := t.Line(p.Line)
	if !ok || p.Character < 0 {
		return 0, outside(p, t.Lines(), -1)
	}
	offset, ok := byteOffset(text, p.Character)
	if !ok {
		return 0, outside(p, t.Lines(), UTF16Len(text))
	}
	return t.starts[p.Line] + offset, nil
}

// Position returns the position of a byte offset. An offset inside a character
// is that character's start, one inside a line break the end of its line.
func (t *Text) Position(offset int) (Position, error) {
	if offset < 0 || offset > len(t.content) {
		return Position{}, Errorf(CodeInvalidArgs, "offset %d is outside the text of %d bytes", offset, len(t.content))
	}
	line := t.lineOf(offset)
	end, _ := lineEnd(t.content, t.starts[line])
	offset = min(offset, end)
	for offset > t.starts[line] && offset < end && !utf8.RuneStart(t.content[offset]) {
		offset--
	}
	return Position{Line: line, Character: UTF16Len(t.content[t.starts[line]:offset])}, nil
}

// lineOf returns the last line that starts at or before offset.
func (t *Text) lineOf(offset int) int {
	low, high := 0, len(t.starts)
	for high-low > 1 {
		middle := int(uint(low+high) >> 1)
		if t.starts[middle] <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// CheckCoordinates reports, as LSP_INVALID_ARGS, a position that is outside of any text.
func CheckCoordinates(p Position) error {
	if p.Line < 0 || p.Character < 0 || p.Line > MaxCoordinate || p.Character > MaxCoordinate {
		return Errorf(CodeInvalidArgs,
			"line %d, character %d (counted from 0): coordinates lie between 0 and %d", p.Line, p.Character, MaxCoordinate)
	}
	return nil
}

// CheckPosition reports, as LSP_INVALID_ARGS, a position that is outside the
// text. The end of a line, and of the text, is inside. It reads no further than
// the line and allocates nothing when the position is inside.
func CheckPosition(content string, p Position) error {
	if err := CheckCoordinates(p); err != nil {
		return err
	}
	start := 0
	for line := range p.Line {
		end, next := lineEnd(content, start)
		if next == end {
			return outside(p, line+1, -1)
		}
		start = next
	}
	end, _ := lineEnd(content, start)
	if p.Character <= (end-start)/3 {
		return nil // no UTF-16 unit is longer than three bytes
	}
	if length := UTF16Len(content[start:end]); p.Character > length {
		return outside(p, p.Line+1, length)
	}
	return nil
}

// outside says in one-based terms, which is what people count in, what the text
// really has.
func outside(p Position, lines, length int) error {
	line, character := p.OneBased()
	if length < 0 {
		return Errorf(CodeInvalidArgs,
			"line %d is outside the text, which has %d lines (counted from 1)", line, lines)
	}
	return Errorf(CodeInvalidArgs,
		"character %d is outside line %d, which has %d characters: use 1 to %d (counted from 1, in UTF-16 units)",
		character, line, length, length+1)
}

// UTF16Len returns the number of UTF-16 code units of s.
func UTF16Len(s string) int {
	units := 0
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b < utf8.RuneSelf || b >= 0xC0 && b < 0xF0:
			units++
		case b >= 0xF0:
			units += 2 // four bytes of UTF-8 are a surrogate pair
		}
	}
	return units
}

// byteOffset returns the byte offset of a UTF-16 offset in one line.
func byteOffset(line string, units int) (int, bool) {
	for i, r := range line {
		width := 1
		if r >= 0x10000 {
			width = 2
		}
		if units < width {
			return i, true
		}
		units -= width
	}
	return len(line), units == 0
}

// lineEnd returns the end of the line that begins at start, and the start of the
// next one; they are equal on the last line.
func lineEnd(content string, start int) (end, next int) {
	end = start + lineLength(content[start:])
	switch {
	case end == len(content):
		return end, end
	case strings.HasPrefix(content[end:], "\r\n"):
		return end, end + 2
	default:
		return end, end + 1
	}
}

// lineLength looks for each of the two signs by itself, which is the fastest, and so in
// parts: where a text has one of them only, the other is not looked for to its end.
func lineLength(text string) int {
	for from, size := 0, 64; from < len(text); size *= 2 {
		part := text[from:min(from+size, len(text))]
		feed := strings.IndexByte(part, '\n')
		if feed >= 0 {
			part = part[:feed]
		}
		if i := strings.IndexByte(part, '\r'); i >= 0 {
			return from + i
		}
		if feed >= 0 {
			return from + feed
		}
		from += len(part)
	}
	return len(text)
}
