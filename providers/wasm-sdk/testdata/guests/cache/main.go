// Command cache remembers.
package main

import (
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

func main() {}

//go:wasmexport hover
func hover(line, character uint32) int32 { return wasmsdk.Hover(describe, line, character) }

func describe(wasmsdk.Query) (*seam.Hover, error) {
	value, _ := wasmsdk.CacheGet("key")
	return &seam.Hover{Contents: string(value)}, nil
}
