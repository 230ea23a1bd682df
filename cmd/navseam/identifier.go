package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// definers are the words of many languages after which a name is defined.
var definers = strings.Fields(`class component const constant def defmodule enum fn fun func function
	interface let message mixin object proc protocol record scalar struct sub trait type typedef union
	val var variable`)

// firstIdentifier finds a name of at least two letters to ask about, in a text of any language:
// the first after a word by which something is defined, as in "func main"; else the first after
// any other word, as in "int main"; else the first. It knows the usual comments and strings that
// end on their line, and no language.
func firstIdentifier(text string) (symbol string, position seam.Position, ok bool) {
	lines := seam.NewText(text)
	var scanner sourceScanner
	best := 0
	for n := range lines.Lines() {
		line, _ := lines.Line(n)
		before := ""
		end := 0
		for _, word := range scanner.words(line) {
			name := line[word.start:word.end]
			if strings.TrimSpace(line[end:word.start]) != "" {
				before = "" // as in f(x), where nothing is said of x
			}
			if worth := worthOf(name, before); worth > best {
				best = worth
				symbol, position = name, seam.Position{Line: n, Character: seam.UTF16Len(line[:word.start])}
			}
			if best == worthDefined {
				return symbol, position, true
			}
			before, end = name, word.end
		}
	}
	return symbol, position, best > 0
}

const (
	worthFirst = 1 + iota
	worthNamed
	worthDefined
)

func worthOf(name, before string) int {
	switch {
	case utf8.RuneCountInString(name) < 2 || strings.IndexFunc(name, unicode.IsLetter) < 0:
		return 0
	case before == "" || slices.Contains(definers, name):
		return worthFirst
	case slices.Contains(definers, before):
		return worthDefined
	default:
		return worthNamed
	}
}

// sourceScanner finds words outside of comments and strings, line by line.
type sourceScanner struct {
	closes string // what ends the comment or text that goes on over lines, or empty
}

type span struct{ start, end int }

// lineComments begin one that goes on to the end of the line; those of the second list only
// where nothing stands before them.
var (
	lineComments  = []string{"//", "#"}
	wholeComments = []string{"--", ";", "%", "*", "'", "@"}
	blocks        = [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}, {"--[[", "]]"}}
)

func (s *sourceScanner) words(line string) (words []span) {
	blank := true
	for at := 0; at < len(line); {
		rest := line[at:]
		switch {
		case s.closes != "":
			end := strings.Index(rest, s.closes)
			if end < 0 {
				return words
			}
			at += end + len(s.closes)
			s.closes = ""
			continue
		case opens(rest) != "":
			open := opens(rest)
			for _, block := range blocks {
				if block[0] == open {
					s.closes = block[1]
				}
			}
			at += len(open)
			continue
		case hasPrefix(rest, lineComments), blank && hasPrefix(rest, wholeComments):
			return words
		case rest[0] == '"' || rest[0] == '\'' || rest[0] == '`':
			at += stringLength(rest)
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !inIdentifier(r) })
		if end < 0 {
			end = len(rest)
		}
		r, size := utf8.DecodeRuneInString(rest)
		if end > 0 {
			size = end
			if !unicode.IsDigit(r) {
				words = append(words, span{at, at + end})
			}
		}
		blank = blank && unicode.IsSpace(r)
		at += size
	}
	return words
}

func opens(rest string) string {
	for _, block := range blocks {
		if strings.HasPrefix(rest, block[0]) {
			return block[0]
		}
	}
	return ""
}

func hasPrefix(rest string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(rest, prefix) })
}

// stringLength is the length of the string that begins here; of one that does not end on the line
// only that of its quote, which may be an apostrophe.
func stringLength(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		}
	}
	return 1
}

func inIdentifier(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
