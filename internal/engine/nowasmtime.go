//go:build !wasmtime || !cgo

package engine

const hasWasmtime = false

func compileWasmtime([]byte, Options) (Code, error) { return nil, unknownEngine(Wasmtime) }
