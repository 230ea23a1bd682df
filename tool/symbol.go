package tool

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// Occurrence is where a symbol stands on its line.
type Occurrence struct {
	Symbol string // what was looked for, without qualifiers
	Line   int    // one-based
	Column int    // one-based, in UTF-16 units
	Others int    // how often the symbol stands elsewhere on that line
}

// String is a sentence for people.
func (o Occurrence) String() string {
	text := fmt.Sprintf("%s is at line %d, column %d", escapeLine(o.Symbol), o.Line, o.Column)
	switch o.Others {
	case 0:
		return text + "."
	case 1:
		return text + "; there is 1 other on that line."
	default:
		return fmt.Sprintf("%s; there are %d others on that line.", text, o.Others)
	}
}

// FindSymbol finds a symbol on a line, counted from one: the first place where it is a
// whole token, and not a part of a longer name. Of a qualified name such as a.b the last
// segment is meant, where it is qualified like that before where it is not.
func FindSymbol(content string, line int, symbol string) (Occurrence, error) {
	text := seam.NewText(content)
	on, ok := text.Line(line - 1)
	if !ok {
		return Occurrence{}, seam.Errorf(seam.CodeInvalidArgs,
			"line %d is outside the text, which has %d lines (counted from 1)", line, text.Lines())
	}
	qualifier, name := splitQualified(strings.TrimSpace(symbol))
	if name == "" {
		return Occurrence{}, seam.Errorf(seam.CodeInvalidArgs, "the symbol is blank: name it as it stands on line %d", line)
	}
	at := tokens(on, name)
	if len(at) == 0 {
		return Occurrence{}, notThere(text, line, name)
	}
	best := at[0]
	for _, offset := range at {
		if before := offset - len(qualifier); before >= 0 && tokenAt(on, before, qualifier+name) {
			best = offset
			break
		}
	}
	return Occurrence{Symbol: name, Line: line, Column: seam.UTF16Len(on[:best]) + 1, Others: len(at) - 1}, nil
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
		return seam.Errorf(seam.CodeInvalidArgs, "%q is not on line %d, nor anywhere else in the file: name it as it is written there", name, line)
	case more > 0:
		there = append(there, fmt.Sprintf("and %d more", more))
	}
	return seam.Errorf(seam.CodeInvalidArgs, "%q is not on line %d: it is on %s", name, line, lines(there))
}

func lines(numbers []string) string {
	if len(numbers) == 1 {
		return "line " + numbers[0]
	}
	return "lines " + strings.Join(numbers, ", ")
}
