package tool

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape writes as \x1b, \u202e and the like what is not seen or changes how the rest is
// seen: control characters, invisible and bidirectional ones, and bytes that are no text.
// So nothing in a text can act on a terminal or pass for something else. Line breaks and
// tabs stay.
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
	done := 0 // of the text
	for i, r := range text {
		if r >= ' ' && r < utf8.RuneSelf-1 {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		invalid := r == utf8.RuneError && size == 1
		if !invalid && (!isHidden(r) || keep(r, text[i+size:])) {
			continue
		}
		quoted := strconv.Quote(text[i : i+size])
		b.WriteString(text[done:i])
		b.WriteString(quoted[1 : len(quoted)-1])
		done = i + size
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// isHidden is about control characters, formats such as bidirectional overrides and
// invisible joiners, the separators of lines and paragraphs, and what else is not seen: variation
// selectors, in which a text may hide, and fillers.
func isHidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
