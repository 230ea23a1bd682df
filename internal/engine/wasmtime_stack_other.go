//go:build wasmtime && cgo && !linux

package engine

import "runtime"

// wasmtimeStack must fit the stack of any thread of the process, or a guest's recursion
// ends the process. Those of macOS have 512 KiB.
func wasmtimeStack() int {
	if runtime.GOOS == "darwin" {
		return 256 << 10
	}
	return 512 << 10
}
