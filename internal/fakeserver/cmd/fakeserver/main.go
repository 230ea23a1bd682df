// Command fakeserver is a language server that misbehaves as a row of testdata/faults says,
// for whoever wants to know how a client takes it:
//
//	fakeserver [-log FILE] ROW.json
//
// The rows, and what a client is to make of each, are described in testdata/faults/README.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/navseam/navseam/internal/fakeserver"
)

const usageStatus = 2

func main() {
	fakeserver.Main() // its helpers are this program too
	script, err := script(os.Args[1:], os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeserver:", err)
		os.Exit(usageStatus)
	}
	os.Exit(fakeserver.Serve(script))
}

// script reads the row that the arguments name.
func script(args []string, stderr io.Writer) (s fakeserver.Script, err error) {
	flags := flag.NewFlagSet("fakeserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	log := flags.String("log", "", "append a line of JSON for each event to this `file`")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() != 1 {
		return s, fmt.Errorf("want one row, a file of testdata/faults, and got %d", flags.NArg())
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return s, err
	}
	var row struct {
		Server json.RawMessage `json:"server"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return s, fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if row.Server == nil {
		return s, fmt.Errorf("%s: it has no member server", flags.Arg(0))
	}
	if s, err = fakeserver.Parse(row.Server); err != nil {
		return s, fmt.Errorf("%s: %s", flags.Arg(0), strings.TrimPrefix(err.Error(), "json: "))
	}
	s.Log = *log
	return s, nil
}
