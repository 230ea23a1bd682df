//go:build wasmtime && cgo

package engine

import "golang.org/x/sys/unix"

// The stack that a guest's calls may take must fit the stack of any thread of the process,
// or a guest's recursion ends the process.
const usualStack = 512 << 10

// wasmtimeStack is at most half of what the C library gives the threads that it makes.
func wasmtimeStack() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &limit); err != nil {
		return usualStack / 2
	}
	return int(min(usualStack, limit.Cur/2))
}
