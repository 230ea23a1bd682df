//go:build !linux

package process

import (
	"fmt"
	"os"
)

// Supervise is the main function of a supervisor. Only Linux has one.
func Supervise([]string) int {
	fmt.Fprintln(os.Stderr, "supervise works on Linux only; here servers are started without it")
	return 2
}
