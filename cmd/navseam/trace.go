package main

import (
	"os"

	"github.com/navseam/navseam/host"
)

// traceUsage explains the flag in the help of each command that has it.
const traceUsage = `  --trace FILE      add to FILE what providers are asked and answer, a line of JSON each, without
                    secrets and texts of documents (docs/troubleshooting.md)`

// tracing is the flag --trace and what comes of it: a trace that all hosts of the command
// write to.
type tracing struct {
	file   string
	values []string // of the variables that the configuration takes from the environment
	log    *host.Trace
}

// trace is the flag of every command that opens a host.
func (o options) trace(c *console) { o.StringVar(&c.tracing.file, "trace", "", "") }

// lookupEnv reads a variable for the configuration. Its value is kept out of the trace.
func (t *tracing) lookupEnv(name string) (string, bool) {
	value, ok := os.LookupEnv(name)
	if t.log != nil {
		t.log.Hide(value)
	} else {
		t.values = append(t.values, value)
	}
	return value, ok
}

// open begins the trace, unless there is none wanted, or one already.
func (t *tracing) open() error {
	if t.file == "" || t.log != nil {
		return nil
	}
	log, err := host.OpenTrace(t.file)
	if err != nil {
		return usagef("%w", err)
	}
	log.Hide(t.values...)
	t.log, t.values = log, nil
	return nil
}

// closeTrace says what is missing from the trace. What was asked for was done all the same.
func (c *console) closeTrace() {
	if err := c.tracing.log.Close(); err != nil {
		c.complain("navseam: the trace is incomplete: " + err.Error())
	}
	c.tracing.log = nil
}
