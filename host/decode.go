package host

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/navseam/navseam/internal/nearest"
)

// decoder fills a configuration from a document. It reports everything that is wrong and
// remembers where each value stands, so that later checks can point at it.
type decoder struct {
	document document
	expander expander
	problems []problem
	places   map[string]place // by path
	secrets  secrets
	visits   int
}

// place is where a value stands in the source, and its key where it has one.
type place struct{ key, value position }

// maxVisits bounds what aliases of aliases can grow to.
const maxVisits = 300_000

// report notes a problem, at its place if that is known, else where its path leads.
func (d *decoder) report(p problem, at position) {
	if p.source = at; at == (position{}) {
		p.source = d.find(p)
	}
	d.problems = append(d.problems, p)
}

// wrong reports a value of the wrong kind.
func (d *decoder) wrong(n ast.Node, at path, wanted string) {
	if len(at) == 0 {
		d.report(problemf(at, "the configuration must be %s, not %s", wanted, d.describe(n)), beginningOf(n))
		return
	}
	d.report(problemf(at, "must be %s, not %s", wanted, d.describe(n)), startOf(n))
}

// plain follows anchors and aliases to the value itself. It is nil when there is none
// that could be used; that has been reported then.
func (d *decoder) plain(n ast.Node, at path) ast.Node {
	if d.visits++; d.visits > maxVisits {
		if d.visits == maxVisits+1 {
			d.report(problemf(at, "the aliases make the configuration too large: write fewer"), startOf(n))
		}
		return nil
	}
	switch node := n.(type) {
	case *ast.AnchorNode:
		return d.plain(node.Value, at)
	case *ast.AliasNode:
		target, ok := d.document.targets[node]
		if !ok {
			d.report(problemf(at, "no anchor &%s is complete before this alias", node.Value.GetToken().Value), placeOf(node.Start))
			return nil
		}
		return d.plain(target, at)
	case *ast.TagNode:
		d.report(problemf(at, "tags such as %s are not understood: write the value alone", node.Start.Value), placeOf(node.Start))
		return nil
	}
	return n
}

// decode sets a value from a node. What cannot be used leaves the value as it is.
func (d *decoder) decode(n ast.Node, into reflect.Value, at path, f field) {
	if f.secret {
		d.secrets.add(n)
	}
	if n = d.plain(n, at); n == nil {
		return
	}
	if f.secret {
		d.secrets.add(n) // what an alias stands for is elsewhere
	}
	switch into.Kind() {
	case reflect.Struct:
		d.decodeStruct(n, into, at)
	case reflect.Pointer:
		value := reflect.New(into.Type().Elem())
		d.decode(n, value.Elem(), at, f)
		into.Set(value)
	case reflect.Map:
		d.decodeMap(n, into, at, f)
	case reflect.Slice:
		d.decodeSlice(n, into, at, f)
	case reflect.String:
		d.decodeString(n, into, at, f)
	case reflect.Int:
		d.decodeInt(n, into, at, f)
	case reflect.Bool:
		if node, ok := n.(*ast.BoolNode); ok {
			into.SetBool(node.Value)
		} else {
			d.wrong(n, at, "true or false")
		}
	case reflect.Interface:
		if value := d.free(n, at); value != nil {
			into.Set(reflect.ValueOf(value))
		}
	}
}

func (d *decoder) decodeStruct(n ast.Node, into reflect.Value, at path) {
	if isNull(n) { // an entry of which every key is left out
		return
	}
	fields := fieldsOf(into.Type())
	for _, e := range d.entries(n, at) {
		f, ok := findField(fields, e.name)
		if !ok {
			if besideSecrets(fields) {
				d.secrets.add(e.value) // which it may have been meant for
			}
			d.report(problem{path: at.to(e.name), key: true, text: unknownKey(e.name, fields)}, e.at)
			continue
		}
		d.remember(at.to(e.name), e.at, e.value)
		if !isNull(e.value) { // a key without a value is left out
			d.decode(e.value, into.Field(f.index), at.to(e.name), f)
		}
	}
}

func (d *decoder) decodeMap(n ast.Node, into reflect.Value, at path, f field) {
	entries := d.entries(n, at)
	made := reflect.MakeMapWithSize(into.Type(), len(entries))
	for _, e := range entries {
		value := prefilled(into.Type().Elem())
		d.remember(at.to(e.name), e.at, e.value)
		d.decode(e.value, value, at.to(e.name), f)
		made.SetMapIndex(reflect.ValueOf(e.name), value)
	}
	into.Set(made)
}

func (d *decoder) decodeSlice(n ast.Node, into reflect.Value, at path, f field) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.wrong(n, at, "a list, such as [a, b]")
		return
	}
	made := reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values))
	for i, value := range list.Values {
		made.Index(i).Set(prefilled(into.Type().Elem()))
		d.remember(at.at(i), beginningOf(value), value)
		d.decode(value, made.Index(i), at.at(i), f)
	}
	into.Set(made)
}

func (d *decoder) decodeString(n ast.Node, into reflect.Value, at path, f field) {
	text, ok := textOf(n)
	if !ok {
		wanted := "text"
		switch n.(type) {
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
			wanted = "text (in quotes)"
		}
		d.wrong(n, at, wanted)
		return
	}
	if f.expand {
		expanded, err := d.expander.expand(text)
		var unknown unknownVariable
		switch {
		case f.secret && errors.As(err, &unknown):
			d.report(problemf(at, "holds a ${…} that is unknown: %s", unknown.remedy()), startOf(n))
			return
		case err != nil:
			d.report(problem{path: at, text: err.Error()}, startOf(n))
			return
		}
		text = expanded
	}
	into.SetString(text)
}

func (d *decoder) decodeInt(n ast.Node, into reflect.Value, at path, f field) {
	node, ok := n.(*ast.IntegerNode)
	if !ok {
		d.wrong(n, at, f.number())
		return
	}
	value, err := strconv.ParseInt(fmt.Sprint(node.Value), 10, into.Type().Bits())
	if err != nil {
		d.wrong(n, at, f.number())
		return
	}
	into.SetInt(value)
}

func (d *decoder) remember(at path, key position, value ast.Node) {
	d.places[at.id()] = place{key, startOf(value)}
}

// find is where to point for a problem: at its value; at the key where the problem is
// that, or where the value is spread over lines; if it is missing, at what should hold it.
func (d *decoder) find(p problem) position {
	for at := p.path; ; at = at[:len(at)-1] {
		found, ok := d.places[at.id()]
		switch {
		case ok && (found.value == position{} || p.key || len(at) < len(p.path)):
			return found.key
		case ok:
			return found.value
		case len(at) == 0:
			return position{1, 1}
		}
	}
}

func (p path) id() string { return strings.Join(p, "\x00") }

func besideSecrets(fields []field) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.secret })
}

func findField(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func unknownKey(name string, fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	if meant := nearest.Word(name, names); meant != "" {
		return "there is no such key: did you mean " + meant + "?"
	}
	return "there is no such key: the keys here are " + strings.Join(names, ", ")
}
