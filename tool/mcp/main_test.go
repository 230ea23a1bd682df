package mcp

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Every test ends what it began; here is the proof that nothing of it goes on.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := leftovers(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines left behind:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leftovers waits for goroutines of this package and its library to end.
func leftovers() string {
	var left []string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		left = nil
		for _, stack := range strings.Split(string(stacks), "\n\n")[1:] {
			if strings.Contains(stack, "navseam/tool") || strings.Contains(stack, "modelcontextprotocol/go-sdk") {
				left = append(left, stack)
			}
		}
		if left == nil {
			return ""
		}
	}
	return strings.Join(left, "\n\n")
}
