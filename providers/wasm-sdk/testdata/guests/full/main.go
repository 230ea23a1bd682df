// Command full is package sample as a module.
package main

import (
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/sample"
)

func main() {}

//go:wasmexport load
func load() int32 { return wasmsdk.Load(sample.Load) }

//go:wasmexport goToDefinition
func goToDefinition(line, character uint32) int32 {
	return wasmsdk.Navigate(sample.Navigate, line, character)
}

//go:wasmexport hover
func hover(line, character uint32) int32 { return wasmsdk.Hover(sample.Hover, line, character) }
