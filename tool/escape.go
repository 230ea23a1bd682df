package tool

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape writes control characters and bytes that are no text as \x1b and the like, so
// that nothing in a text can act on a terminal or pass for something else. Line breaks
// and tabs stay.
func Escape(text string) string {
	return escape(text, func(r rune, rest string) bool {
		return r == '\n' || r == '\t' || r == '\r' && strings.HasPrefix(rest, "\n")
	})
}

// escapeLine is [Escape] for what has to stay on one line.
func escapeLine(text string) string {
	return escape(text, func(rune, string) bool { return false })
}

// escape leaves those control characters alone that keep accepts; rest is what follows.
func escape(text string, keep func(r rune, rest string) bool) string {
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		char := text[i : i+size]
		invalid := r == utf8.RuneError && size == 1
		if invalid || unicode.IsControl(r) && !keep(r, text[i+size:]) {
			quoted := strconv.Quote(char)
			char = quoted[1 : len(quoted)-1]
		}
		b.WriteString(char)
	}
	return b.String()
}
