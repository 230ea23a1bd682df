package host

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

var wholeNumber = regexp.MustCompile(`^[-+]?\d+$`)

// free reads a value of any shape, as JSON has it: that is what becomes of it.
func (d *decoder) free(n ast.Node, at path) any {
	n = d.plain(n, at)
	if text, ok := textOf(n); ok {
		if n.GetToken().Type == token.StringType && wholeNumber.MatchString(text) {
			d.report(problemf(at, "%s is too large for a number: put it in quotes if it is text", text), startOf(n))
		}
		return text
	}
	switch node := n.(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.BoolNode:
		return node.Value
	case *ast.IntegerNode:
		return node.Value
	case *ast.FloatNode:
		return node.Value
	case *ast.SequenceNode:
		list := make([]any, len(node.Values))
		for i, value := range node.Values {
			list[i] = d.free(value, at.at(i))
		}
		return list
	case *ast.MappingNode, *ast.MappingValueNode:
		object := map[string]any{}
		for _, e := range d.entries(node, at) {
			object[e.name] = d.free(e.value, at.to(e.name))
		}
		return object
	}
	d.report(problemf(at, "%s cannot be sent as JSON", d.describe(n)), startOf(n))
	return nil
}

func textOf(n ast.Node) (string, bool) {
	switch node := n.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.LiteralNode:
		return node.Value.Value, true
	}
	return "", false
}

func isNull(n ast.Node) bool {
	_, ok := n.(*ast.NullNode)
	return ok
}

// describe names a value in a message.
func (d *decoder) describe(n ast.Node) string {
	if d.secrets.nodes[n] {
		return "a value of another kind"
	}
	if text, ok := textOf(n); ok {
		return "the text " + quoted(text)
	}
	switch node := n.(type) {
	case *ast.NullNode:
		return "an empty value"
	case *ast.BoolNode:
		return strconv.FormatBool(node.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.NanNode, *ast.InfinityNode:
		return node.GetToken().Value
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	}
	return "something else" // a key that is an alias, say
}

// quoted shows a text, or its beginning.
func quoted(text string) string {
	const shown = 40
	if runes := []rune(text); len(runes) > shown {
		return fmt.Sprintf("%q…", string(runes[:shown]))
	}
	return strconv.Quote(text)
}

// startOf is where a value that stands on one line begins; zero for a mapping or list, to
// which its key leads better, and for a value that is not there.
func startOf(n ast.Node) position {
	switch node := n.(type) {
	case nil:
		return position{}
	case *ast.NullNode, *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.LiteralNode:
		return position{}
	case *ast.AnchorNode:
		return startOf(node.Value)
	}
	return placeOf(n.GetToken())
}

// beginningOf is where any value begins.
func beginningOf(n ast.Node) position {
	switch node := n.(type) {
	case nil:
		return position{}
	case *ast.AnchorNode:
		return beginningOf(node.Value)
	case *ast.MappingNode:
		if !node.IsFlowStyle && len(node.Values) > 0 {
			return placeOf(node.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return placeOf(node.Key.GetToken())
	}
	return placeOf(n.GetToken())
}
