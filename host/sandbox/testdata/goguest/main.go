// Command goguest is a module in Go that hands over ten thousand locations, for benchmarks.
package main

import (
	"fmt"

	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

func main() {} // never runs in a module

//go:wasmexport findReferences
func findReferences(line, character uint32) int32 {
	return wasmsdk.Navigate(many, line, character)
}

func many(wasmsdk.Query) ([]wasmsdk.Location, error) {
	all := make([]wasmsdk.Location, 0, 10_000)
	for file := range 100 {
		path := fmt.Sprintf("src/%02d.toy", file)
		for line := range 100 {
			all = append(all, wasmsdk.Location{Path: path, Range: seam.Range{
				Start: seam.Position{Line: line, Character: 4},
				End:   seam.Position{Line: line, Character: 8},
			}})
		}
	}
	return all, nil
}
