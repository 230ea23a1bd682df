package host

import (
	"math"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// secrets are the parts of a source that no message shows.
type secrets struct {
	nodes map[ast.Node]bool
	lines []span
}

// span is a range of lines, both ends included.
type span struct{ first, last int }

// add makes a value secret: itself, what is in it, and the lines that it stands on.
func (s *secrets) add(n ast.Node) {
	if s.nodes[n] {
		return
	}
	marked := marker{nodes: s.nodes}
	ast.Walk(&marked, n)
	if marked.first == nil {
		return
	}
	lines := span{marked.first.Position.Line, math.MaxInt}
	// A text may go on over lines; what comes before and after it bounds it.
	if before := marked.first.Prev; before != nil {
		lines.first = min(lines.first, before.Position.Line)
	}
	if after := marked.last.Next; after != nil {
		lines.last = max(after.Position.Line-1, marked.last.Position.Line)
	}
	s.lines = append(s.lines, lines)
}

// hide reports whether a line of the source is kept from messages.
func (s *secrets) hide(line int) bool {
	for _, lines := range s.lines {
		if lines.first <= line && line <= lines.last {
			return true
		}
	}
	return false
}

// marker notes the nodes that it visits, and the first and last of their tokens.
type marker struct {
	nodes       map[ast.Node]bool
	first, last *token.Token
}

func (m *marker) Visit(n ast.Node) ast.Visitor {
	m.nodes[n] = true
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return m
	}
	if m.first == nil || t.Position.Offset < m.first.Position.Offset {
		m.first = t
	}
	if m.last == nil || t.Position.Offset > m.last.Position.Offset {
		m.last = t
	}
	return m
}

// unreadable is what to keep from messages about a text that is not YAML: where there are
// secrets in it cannot be known, but not before the first word that announces them.
func unreadable(text string) secrets {
	before, _, found := strings.Cut(strings.ToLower(text), secretWord)
	if !found {
		return secrets{}
	}
	return secrets{lines: []span{{strings.Count(before, "\n") + 1, math.MaxInt}}}
}

// secretWord is in the names of all keys whose values are secret, and of those that somebody
// wrote in the place of one, or in a wrong place. A test holds that there are no others.
const secretWord = "header"

func announcesSecrets(key string) bool { return strings.Contains(strings.ToLower(key), secretWord) }
