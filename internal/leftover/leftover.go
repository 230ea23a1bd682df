// Package leftover proves in tests that whatever began a goroutine has ended it.
package leftover

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Main runs the tests of a package, and fails them when goroutines go on afterwards that run
// code of one of the packages: a part of the path is enough. It is called by TestMain and does
// not return.
func Main(m *testing.M, packages ...string) {
	code := m.Run()
	if left := goroutines(packages); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines left behind:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// goroutines waits for those of the packages to end, and returns the stacks of the others.
func goroutines(packages []string) string {
	var left []string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		left = nil
		for _, stack := range strings.Split(string(stacks), "\n\n")[1:] {
			if runs(stack, packages) {
				left = append(left, stack)
			}
		}
		if left == nil {
			return ""
		}
	}
	return strings.Join(left, "\n\n")
}

func runs(stack string, packages []string) bool {
	for _, name := range packages {
		if strings.Contains(stack, name) {
			return true
		}
	}
	return false
}
