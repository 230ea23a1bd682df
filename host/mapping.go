package host

import (
	"github.com/goccy/go-yaml/ast"
)

// entry is a key of a mapping with its value.
type entry struct {
	name  string
	at    position
	value ast.Node
}

// entries lists the keys of a mapping, once each, and after them what "<<" merges into it.
func (d *decoder) entries(n ast.Node, at path) []entry {
	var own, merged []entry
	first := map[string]position{}
	var pairs []*ast.MappingValueNode
	switch node := n.(type) {
	case *ast.MappingNode:
		pairs = node.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{node}
	default:
		d.wrong(n, at, "a mapping of keys to values")
	}
	for _, pair := range pairs {
		switch key := pair.Key.(type) {
		case *ast.MergeKeyNode:
			merged = append(merged, d.merge(pair.Value, at)...)
		case *ast.StringNode:
			e := entry{key.Value, placeOf(key.GetToken()), pair.Value}
			if announcesSecrets(e.name) {
				d.secrets.add(e.value)
			}
			if line := first[e.name].line; line != 0 {
				d.report(problemf(at.to(e.name), "this key is given on line %d already: keep one", line), e.at)
				continue
			}
			first[e.name] = e.at
			own = append(own, e)
		default:
			d.report(problemf(at, "a key must be text (in quotes), not %s", d.describe(pair.Key)), placeOf(pair.Key.GetToken()))
		}
	}
	for _, e := range merged {
		if first[e.name] == (position{}) {
			first[e.name] = e.at
			own = append(own, e)
		}
	}
	return own
}

// merge lists what the value of a "<<" holds: a mapping, or a list of them of which the
// first one wins.
func (d *decoder) merge(n ast.Node, at path) []entry {
	n = d.plain(n, at)
	list, ok := n.(*ast.SequenceNode)
	switch {
	case n == nil:
		return nil
	case !ok:
		return d.entries(n, at)
	}
	var all []entry
	for _, value := range list.Values {
		if value = d.plain(value, at); value != nil {
			all = append(all, d.entries(value, at)...)
		}
	}
	return all
}
