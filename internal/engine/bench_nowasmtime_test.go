//go:build !wasmtime || !cgo

package engine

import "context"

func bareWasmtimeCall(Instance, int) func(context.Context, []uint64) error { return nil }
