package tool

import (
	"strings"
	"unicode/utf8"
)

// maxExcerpt bounds what is shown of a source line, in bytes before it is escaped.
const maxExcerpt = 160

// excerpt is a source line without its indentation, on one line, and of a long one the
// part around the byte at.
func excerpt(line string, at int) string {
	trimmed := strings.TrimLeft(line, " \t")
	at -= len(line) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " \t")
	if len(trimmed) > maxExcerpt {
		trimmed = around(trimmed, at)
	}
	return escapeLine(strings.ReplaceAll(trimmed, "\t", " "))
}

// around cuts a part out of a long text, between characters.
func around(text string, at int) string {
	start := min(max(at-maxExcerpt/4, 0), len(text)-maxExcerpt)
	end := start + maxExcerpt
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	part := text[start:end]
	if start > 0 {
		part = "…" + part
	}
	if end < len(text) {
		part += "…"
	}
	return part
}
