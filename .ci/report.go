// The report turns the events of go test -json into its ordinary output, and fails when a test
// was skipped that may not be: go test -json ./... | go run .ci/report.go .ci/may-skip
//
// Further arguments are regular expressions, each of which must match a test that passed, as
// package.Test: go run .ci/report.go .ci/may-skip 'host/sandbox\..*/wasmtime'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

func main() {
	allowed, err := readAllowed(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	wanted, err := compileAll(os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	r := report{out: os.Stdout, wanted: wanted, running: map[string]bool{}, words: map[event]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !r.close(allowed) {
		os.Exit(1)
	}
}

type report struct {
	out            io.Writer
	running        map[string]bool  // packages
	words          map[event]string // what a test said, by package and test
	passed, failed int
	skipped        []string         // package.Test: what it said
	wanted         []*regexp.Regexp // no test that passed matched these so far
	broken         bool             // a package failed, with or without a test
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(r.out, lines.Text())
			continue
		}
		r.take(e)
	}
	return lines.Err()
}

func (r *report) take(e event) {
	test := event{Package: e.Package, Test: e.Test}
	switch {
	case e.Action == "start":
		r.running[e.Package] = true
	case e.Action == "build-output":
		fmt.Fprint(r.out, e.Output)
	case e.Action == "build-fail":
		r.broken = true
	case e.Action == "output" && e.Test != "":
		r.words[test] += e.Output
	case e.Action == "output" && e.Output != "PASS\n":
		fmt.Fprint(r.out, e.Output)
	case e.Action == "fail" && e.Test == "":
		r.broken = true
		delete(r.running, e.Package)
		for unfinished, words := range r.words {
			if unfinished.Package == e.Package {
				fmt.Fprint(r.out, words)
			}
		}
	case e.Test == "": // pass, or skip: there are no tests
		delete(r.running, e.Package)
	case e.Action == "pass":
		r.passed++
		r.wanted = slices.DeleteFunc(r.wanted, func(pattern *regexp.Regexp) bool { return pattern.MatchString(nameOf(test)) })
		delete(r.words, test)
	case e.Action == "fail":
		r.failed++
		fmt.Fprint(r.out, r.words[test])
		delete(r.words, test)
	case e.Action == "skip":
		r.skipped = append(r.skipped, nameOf(test)+" "+strings.Join(strings.Fields(r.words[test]), " "))
		delete(r.words, test)
	}
}

func nameOf(test event) string {
	return strings.TrimPrefix(test.Package, "github.com/navseam/navseam/") + "." + test.Test
}

// close prints the totals and says whether all is well.
func (r *report) close(allowed []*regexp.Regexp) bool {
	well := !r.broken && r.failed == 0
	for _, skipped := range r.skipped {
		name, _, _ := strings.Cut(skipped, " ")
		matches := func(pattern *regexp.Regexp) bool { return pattern.MatchString(name) }
		if !slices.ContainsFunc(allowed, matches) {
			fmt.Fprintln(r.out, "skipped, but .ci/may-skip does not allow it:", skipped)
			well = false
		}
	}
	for unfinished := range r.running {
		fmt.Fprintln(r.out, "FAIL", unfinished, "did not come to an end")
		well = false
	}
	for _, pattern := range r.wanted {
		fmt.Fprintln(r.out, "FAIL: no test that passed matches", pattern)
		well = false
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, len(r.skipped))
	return well && r.passed > 0
}

func compileAll(patterns []string) ([]*regexp.Regexp, error) {
	var all []*regexp.Regexp
	for _, text := range patterns {
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		all = append(all, pattern)
	}
	return all, nil
}

// readAllowed reads lines of a pattern and a reason.
func readAllowed(file string) ([]*regexp.Regexp, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var patterns []*regexp.Regexp
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: %s has no reason: write why it may be skipped", file, name)
		}
		pattern, err := regexp.Compile("^(" + name + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}
