// Command config reads its config with encoding/json.
package main

import (
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

func main() {}

//go:wasmexport hover
func hover(line, character uint32) int32 { return wasmsdk.Hover(describe, line, character) }

func describe(wasmsdk.Query) (*seam.Hover, error) {
	var config struct{ Name string }
	err := wasmsdk.ReadConfig(&config)
	return &seam.Hover{Contents: config.Name}, err
}
