//go:build unix

package sandbox_test

import (
	"syscall"
	"time"
)

// processTime is how long the process has run on processors.
func processTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
