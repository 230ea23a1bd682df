package host

import (
	"fmt"
	"strings"
	"unicode"
)

// excerptWidth is how much of a long line is shown.
const excerptWidth = 120

// excerpt shows a line of the source and, under it, where in it the problem is. It is
// empty when the source has nothing there.
func excerpt(source string, at position) string {
	lines := strings.Split(source, "\n")
	if at.line < 1 || at.line > len(lines) {
		return ""
	}
	line := []rune(strings.TrimSuffix(lines[at.line-1], "\r"))
	if strings.TrimSpace(string(line)) == "" {
		return ""
	}
	column := min(max(at.column-1, 0), len(line))
	if start := column - excerptWidth/2; start > 0 && len(line) > excerptWidth {
		line, column = line[start:], column-start
	}
	line = line[:min(len(line), excerptWidth)]
	margin := fmt.Sprintf("%4d | ", at.line)
	return margin + strings.Map(visible, string(line)) +
		"\n" + strings.Repeat(" ", len(margin)-2) + "| " + strings.Map(blank, string(line[:column])) + "^"
}

// visible keeps a control character of the source from acting on a terminal.
func visible(r rune) rune {
	if r != '\t' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// blank keeps tabs, so that the mark stands under its character.
func blank(r rune) rune {
	if r == '\t' {
		return r
	}
	return ' '
}
