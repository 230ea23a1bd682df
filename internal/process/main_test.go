package process_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/navseam/navseam/internal/process"
)

// The test binary is also every other program of these tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "supervise":
			os.Exit(process.Supervise(os.Args[2:]))
		case "helper-server":
			os.Exit(helperServer(os.Args[2:]))
		case "helper-host":
			os.Exit(helperHost(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// helperServer carries out its arguments one after the other.
func helperServer(steps []string) int {
	time.AfterFunc(2*time.Minute, func() { os.Exit(99) }) // should a test forget it
	for _, step := range steps {
		verb, value, _ := strings.Cut(step, ":")
		switch verb {
		case "ignore-term":
			signal.Ignore(syscall.SIGTERM)
		case "say":
			fmt.Println(value)
		case "complain":
			fmt.Fprint(os.Stderr, value)
		case "flood":
			n, _ := strconv.Atoi(value)
			chunk := bytes.Repeat([]byte("x"), 64<<10)
			for range n {
				os.Stderr.Write(chunk)
			}
		case "spawn":
			spawnHelper(value)
		case "env":
			fmt.Println(strings.Join(os.Environ(), " "))
		case "dir":
			dir, _ := os.Getwd()
			fmt.Println(dir)
		case "echo":
			io.Copy(os.Stdout, os.Stdin)
		case "sleep":
			select {}
		case "exit":
			code, _ := strconv.Atoi(value)
			return code
		}
	}
	return 0
}

func helperArgs(steps ...string) []string { return append([]string{"helper-server"}, steps...) }
