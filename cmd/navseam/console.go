package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"

	"github.com/navseam/navseam/internal/jsonline"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// The exit statuses.
const (
	statusAnswered = 0 // also with an empty answer
	statusFailed   = 1
	statusUsage    = 2 // wrong arguments, or a configuration that cannot be used
)

// console is what a command sees of the world outside. Answers go to stdout, everything
// else to stderr.
type console struct {
	getenv func(string) string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	json   bool         // answers and failures are JSON
	log    *slog.Logger // of what hosts and providers say; nil discards it

	tracing tracing
}

// usageError is a failure that other arguments would cure.
type usageError struct{ cause *seam.Error }

func (e usageError) Error() string { return e.cause.Error() }

func (e usageError) Unwrap() error { return e.cause }

func usagef(format string, args ...any) error {
	return usageError{seam.Errorf(seam.CodeInvalidArgs, format, args...)}
}

// asUsage marks a failure as one of the arguments.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{seam.AsError(err)}
}

// print writes an answer and a line break.
func (c *console) print(answer string) error {
	if _, err := fmt.Fprintln(c.stdout, answer); err != nil {
		return fmt.Errorf("the answer could not be written: %w", err)
	}
	return nil
}

// printJSON writes an answer as one line of JSON.
func (c *console) printJSON(answer any) error {
	text, err := jsonline.Encode(answer)
	if err != nil {
		return err
	}
	return c.print(text)
}

// complain writes for people. When stderr is gone there is nobody to tell.
func (c *console) complain(text string) { _, _ = fmt.Fprintln(c.stderr, text) }

// report tells people, and programs that asked for JSON, why a command failed, and
// returns the exit status. Without a failure it says nothing, nor after help was given.
func (c *console) report(err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return statusAnswered
	}
	failures := flatten(err)
	for _, failure := range failures {
		c.complain("navseam: " + describe(failure))
	}
	if c.json {
		_ = c.printJSON(jsonFailure(failures)) // that it failed is told already
	}
	return exitStatus(err)
}

// describe is one failure as people read it.
func describe(err *seam.Error) string {
	return string(err.Code) + ": " + tool.Escape(err.Message)
}

// jsonFailure is what programs read: one error, which has the texts of all.
func jsonFailure(failures []*seam.Error) any {
	return struct {
		Error *seam.Error `json:"error"`
	}{inOne(failures)}
}

// inOne is the first failure, with the texts of all.
func inOne(failures []*seam.Error) *seam.Error {
	first := *failures[0]
	for _, more := range failures[1:] {
		first.Message += "\n" + more.Message
	}
	return &first
}

// flatten takes apart what was joined.
func flatten(err error) []*seam.Error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []*seam.Error{seam.AsError(err)}
	}
	var all []*seam.Error
	for _, one := range joined.Unwrap() {
		all = append(all, flatten(one)...)
	}
	return all
}

func exitStatus(err error) int {
	var usage usageError
	if errors.As(err, &usage) || seam.CodeOf(err) == seam.CodeInvalidConfig {
		return statusUsage
	}
	return statusFailed
}

// logLines has the log of hosts and providers written to stderr, without times.
func (c *console) logLines(least slog.Level) {
	c.log = slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{
		Level: least,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}
