//go:build wasmtime && cgo

package engine

import "context"

// bareWasmtimeCall cannot be interrupted: wasmtime has no contexts.
func bareWasmtimeCall(guest Instance, export int) func(context.Context, []uint64) error {
	i := guest.(*wasmtimeInstance)
	return func(_ context.Context, stack []uint64) error {
		result, err := i.functions[export].Call(i.store, int32(stack[0]), int32(stack[1]))
		if err == nil {
			stack[0] = uint64(uint32(result.(int32)))
		}
		return err
	}
}
