package tool

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// occurrence is where a symbol stands on its line.
type occurrence struct {
	symbol string // what was looked for, without qualifiers
	line   int    // one-based
	column int    // one-based, in UTF-16 units
	others int    // how often the symbol stands elsewhere on that line
}

// String is a sentence for people.
func (o occurrence) String() string {
	text := fmt.Sprintf("%s is at line %d, column %d", escapeLine(o.symbol), o.line, o.column)
	switch o.others {
	case 0:
		return text + "."
	case 1:
		return text + "; there is 1 other on that line."
	default:
		return fmt.Sprintf("%s; there are %d others on that line.", text, o.others)
	}
}

// findSymbol finds a symbol on a line, counted from one: where it is a whole token, and
// not a part of a longer name. That is the place nearest to the column near, or with 0 the
// first. Of a qualified name such as a.b the last segment is meant, where it is qualified
// like that before where it is not.
func findSymbol(text *seam.Text, line int, symbol string, near int) (occurrence, error) {
	on, ok := text.Line(line - 1)
	if !ok {
		return occurrence{}, seam.Errorf(seam.CodeInvalidArgs,
			"line %d is outside the text, which has %d lines (counted from 1)", line, text.Lines())
	}
	qualifier, name := splitQualified(strings.TrimSpace(symbol))
	if name == "" {
		return occurrence{}, seam.Errorf(seam.CodeInvalidArgs, "the symbol is blank: name it as it stands on line %d", line)
	}
	at := tokens(on, name)
	if len(at) == 0 {
		return occurrence{}, notThere(text, line, name)
	}
	best := qualified(on, at, qualifier, name)
	if near > 0 {
		best = nearestTo(on, at, name, near)
	}
	return occurrence{symbol: name, line: line, column: seam.UTF16Len(on[:best]) + 1, others: len(at) - 1}, nil
}

// qualified is the first offset at which the qualifier stands before the name, else the
// first.
func qualified(line string, at []int, qualifier, name string) int {
	for _, offset := range at {
		if before := offset - len(qualifier); before >= 0 && tokenAt(line, before, qualifier+name) {
			return offset
		}
	}
	return at[0]
}

// nearestTo is the offset of the name that is nearest to a column; the column may be in it.
func nearestTo(line string, at []int, name string, column int) int {
	best, least := at[0], -1
	length, before, start := seam.UTF16Len(name), 0, 1 // in one pass: a line may be long
	for _, offset := range at {
		start += seam.UTF16Len(line[before:offset])
		before = offset
		distance := max(start-column, column-start-length, 0)
		if least < 0 || distance < least {
			best, least = offset, distance
		}
	}
	return best
}

// splitQualified splits a.b into "a." and "b". What ends in a separator is an operator or
// the like, and is taken whole.
func splitQualified(symbol string) (qualifier, name string) {
	cut := 0
	for _, separator := range []string{".", "::", "->"} {
		if i := strings.LastIndex(symbol, separator); i >= 0 {
			cut = max(cut, i+len(separator))
		}
	}
	if cut == len(symbol) {
		return "", symbol
	}
	return symbol[:cut], symbol[cut:]
}

// tokens returns the byte offsets at which name is a whole token.
func tokens(line, name string) []int {
	var at []int
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return at
		}
		if i += from; tokenAt(line, i, name) {
			at = append(at, i)
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		from = i + size
	}
}

// tokenAt reports whether name stands at the offset and does not go on on either side.
// Only where it begins or ends like a name itself could it go on.
func tokenAt(line string, offset int, name string) bool {
	if !strings.HasPrefix(line[offset:], name) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(line[:offset])
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	after, _ := utf8.DecodeRuneInString(line[offset+len(name):])
	return !(inName(before) && inName(first)) && !(inName(last) && inName(after))
}

func inName(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// namedLines bounds how many lines a message names.
const namedLines = 10

// notThere says on which lines the symbol is instead.
func notThere(text *seam.Text, line int, name string) error {
	var there []string
	more := 0
	for i := range text.Lines() {
		content, _ := text.Line(i)
		switch {
		case len(tokens(content, name)) == 0:
		case len(there) == namedLines:
			more++
		default:
			there = append(there, fmt.Sprint(i+1))
		}
	}
	switch {
	case len(there) == 0:
		return seam.Errorf(seam.CodeInvalidArgs, "%s is not on line %d, nor anywhere else in the file: name it as it is written there", short(name), line)
	case more > 0:
		there = append(there, fmt.Sprintf("and %d more", more))
	}
	return seam.Errorf(seam.CodeInvalidArgs, "%s is not on line %d: it is on %s", short(name), line, lines(there))
}

func lines(numbers []string) string {
	if len(numbers) == 1 {
		return "line " + numbers[0]
	}
	return "lines " + strings.Join(numbers, ", ")
}
