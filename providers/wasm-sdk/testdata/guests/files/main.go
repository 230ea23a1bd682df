// Command files reads a file.
package main

import (
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

func main() {}

//go:wasmexport hover
func hover(line, character uint32) int32 { return wasmsdk.Hover(describe, line, character) }

func describe(wasmsdk.Query) (*seam.Hover, error) {
	file, err := wasmsdk.Open("workspace/a")
	if err != nil {
		return nil, err
	}
	return nil, file.Close()
}
