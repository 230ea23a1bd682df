// Command wasm-provider is a navseam provider for GraphQL schemas, to copy and to change: this
// file is what a host sees, schema.go what it knows of the language.
package main

import (
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

func main() {} // never runs in a module

//go:wasmexport goToDefinition
func goToDefinition(line, character uint32) int32 {
	return wasmsdk.Navigate(with(schema.declarations), line, character)
}

//go:wasmexport findReferences
func findReferences(line, character uint32) int32 {
	return wasmsdk.Navigate(with(schema.mentions), line, character)
}

//go:wasmexport goToImplementation
func goToImplementation(line, character uint32) int32 {
	return wasmsdk.Navigate(with(schema.implementations), line, character)
}

//go:wasmexport hover
func hover(line, character uint32) int32 { return wasmsdk.Hover(describe, line, character) }

// with answers with what find knows of the name at the position.
func with(find func(schema, string) schema) func(wasmsdk.Query) ([]wasmsdk.Location, error) {
	return func(q wasmsdk.Query) (locations []wasmsdk.Location, err error) {
		names, asked, rangeOf, err := open(q)
		if err != nil || asked == nil {
			return nil, err
		}
		for _, n := range find(names, asked.text) {
			locations = append(locations, wasmsdk.Location{Path: q.Path, Range: rangeOf(n)})
		}
		return locations, nil
	}
}

func describe(q wasmsdk.Query) (*seam.Hover, error) {
	names, asked, rangeOf, err := open(q)
	if err != nil || asked == nil {
		return nil, err
	}
	for _, n := range names.declarations(asked.text) {
		here := rangeOf(asked)
		return &seam.Hover{Contents: "```graphql\n" + n.heading + "\n```" + n.description, Range: &here}, nil
	}
	return nil, nil
}

// open reads the document, anew for each query, and finds the name at the position, nil if none.
func open(q wasmsdk.Query) (names schema, asked *name, rangeOf func(*name) seam.Range, err error) {
	source, err := wasmsdk.Source()
	if err != nil {
		return nil, nil, nil, err
	}
	text := seam.NewText(source)
	offset, err := text.Offset(q.Position)
	for _, n := range parse(source) {
		if names = append(names, n); n.start <= offset && offset <= n.start+len(n.text) {
			asked = n
		}
	}
	return names, asked, func(n *name) seam.Range {
		start, _ := text.Position(n.start) // which is inside of the text
		return seam.Range{Start: start, End: seam.Position{Line: start.Line, Character: start.Character + len(n.text)}}
	}, err
}
