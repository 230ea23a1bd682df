// Command minimal answers one operation and asks for nothing.
package main

import wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"

func main() {}

//go:wasmexport goToDefinition
func goToDefinition(line, character uint32) int32 { return wasmsdk.Navigate(define, line, character) }

func define(q wasmsdk.Query) ([]wasmsdk.Location, error) {
	return []wasmsdk.Location{{Path: q.Path}}, nil
}
