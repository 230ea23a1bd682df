package main

import (
	"slices"
	"strings"
)

// schema is the names of types and directives in a document, in its order.
type schema []*name

// name is one of them. That of a declaration has a heading. One in the heading of another, after
// "implements" or as the member of a union, is there for the type that this one declares.
type name struct {
	text                 string // "User", or "@deprecated"
	start                int    // byte offset
	heading, description string // of a declaration; the second with a blank line before it, or empty
	isUnion              bool
	of                   *name
}

func (s schema) mentions(text string) schema {
	return slices.DeleteFunc(slices.Clone(s), func(n *name) bool { return n.text != text })
}

func (s schema) declarations(text string) schema {
	return slices.DeleteFunc(s.mentions(text), func(n *name) bool { return n.heading == "" })
}

// implementations are the types that implement an interface, or the members of a union.
func (s schema) implementations(text string) (found schema) {
	for _, n := range s {
		if n.of != nil && n.of.isUnion && n.of.text == text {
			found = append(found, s.declarations(n.text)...)
		} else if n.of != nil && !n.of.isUnion && n.text == text {
			found = append(found, n.of)
		}
	}
	return found
}

// parse: outside of brackets a keyword begins a definition, and "implements", "&", "=", "|" join names
// to it; inside, a type stands after a colon, but brackets after "=" or a directive in use hold values.
func parse(source string) (names schema) {
	tokens, current, depth, values := scan(source), &name{}, 0, 0 // values: the depth they begin at, or 0
	for i := 1; i < len(tokens)-1; i++ {
		before, t := tokens[i-1].text, tokens[i]
		switch {
		case t.text == "(" || t.text == "{":
			depth++
			if values == 0 && (before == "=" || t.text+before[:1] == "(@" && tokens[i-2].text != "directive") {
				values = depth
			}
		case t.text == ")" || t.text == "}":
			if depth == values {
				values = 0
			}
			depth = max(0, depth-1)
		case values > 0 || !isName(t.text):
		case depth > 0 && before == ":" || t.text[0] == '@':
			names = append(names, &name{text: t.text, start: t.start})
		case depth > 0:
		case before == "=" || before == "|" || before == "&" || before == "implements":
			names = append(names, &name{text: t.text, start: t.start, of: current})
		case strings.Contains(" type interface union enum input scalar directive ", " "+t.text+" ") && isName(tokens[i+1].text):
			i++
			current = &name{text: tokens[i].text, start: tokens[i].start, isUnion: t.text == "union"}
			if names = append(names, current); before != "extend" {
				heading, _, _ := strings.Cut(firstLine(source[t.start:]), "{")
				current.heading = strings.TrimSpace(heading)
			}
			if before[0] == '"' {
				text := strings.ReplaceAll(strings.Trim(before, "\" \t\r\n"), `\"""`, `"""`)
				current.description = strings.TrimRight("\n\n"+text, "\n")
			}
		}
	}
	return names
}

// token is a word, with "@" if it is a directive's, a string with its quotes, or a character.
type token struct {
	text  string
	start int
}

// scan gives the tokens between two blank ones. Comments, spaces, commas and [ ] of lists are none.
func scan(source string) []token {
	tokens := append(make([]token, 0, len(source)/4), token{text: " "})
	for i := 0; i < len(source); {
		first, length := source[i], 1
		if first == '#' {
			length = len(firstLine(source[i:]))
		} else if first == '"' {
			length = quoted(source[i:])
		}
		for isName(source[i:]) && i+length < len(source) && isLetter(source[i+length]) {
			length++
		}
		if strings.IndexByte("# \t\r\n,[]", first) < 0 {
			tokens = append(tokens, token{source[i : i+length], i})
		}
		i += length
	}
	return append(tokens, token{" ", len(source)})
}

func firstLine(text string) string { return strings.SplitN(text, "\n", 2)[0] }
func isName(text string) bool      { return text[0] == '@' || isLetter(text[0]) }
func isLetter(c byte) bool         { return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// quoted is the length of a string with its quotes. A short one ends with its line at the latest.
func quoted(s string) int {
	quotes := s[:1]
	if strings.HasPrefix(s, `"""`) {
		quotes = s[:3]
	}
	for i := len(quotes); i < len(s); i++ {
		if strings.HasPrefix(s[i:], quotes) || len(quotes) == 1 && s[i] == '\n' {
			return i + len(quotes)
		} else if s[i] == '\\' && (len(quotes) == 1 || strings.HasPrefix(s[i+1:], quotes)) {
			i += len(quotes)
		}
	}
	return len(s)
}
