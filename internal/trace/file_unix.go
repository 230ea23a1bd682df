//go:build unix

package trace

import "syscall"

// noFollow opens no link, and does not wait for the other end of a FIFO.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
