package faults

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/leftover"
	"github.com/navseam/navseam/internal/process"
)

// side is how many rows run at once where the command line does not say: most of their time
// they wait.
const side = "16"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // processes end at once under the race detector
	if len(os.Args) > 1 && os.Args[1] == "supervise" {
		os.Exit(process.Supervise(os.Args[2:]))
	}
	fakeserver.Main()
	flag.Parse()
	if !given("test.parallel") {
		if err := flag.Set("test.parallel", side); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	leftover.Main(m, "navseam/host", "navseam/providers", "navseam/internal")
}

func given(name string) (found bool) {
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}
