package main

import (
	"cmp"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
)

// options reads the flags of one command.
type options struct {
	*flag.FlagSet
}

func newOptions(name string) options {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // failures are reported like all others
	return options{set}
}

// text is a flag with a short and a long name.
func (o options) text(into *string, short, long string) {
	o.StringVar(into, short, "", "")
	o.StringVar(into, long, "", "")
}

// parse reads the arguments of a command, flags and others in any order, and returns the
// others. After "--" there are no flags.
func (o options) parse(c *console, args []string) (others []string, err error) {
	for all := args; len(args) > 0; {
		if err := o.Parse(args); err != nil {
			if o.Lookup("json") != nil && (slices.Contains(all, "--json") || slices.Contains(all, "-json")) {
				c.json = true // it may stand after what is wrong
			}
			return nil, o.wrong(c, err)
		}
		rest := o.Args()
		if seen := len(args) - len(rest); seen > 0 && args[seen-1] == "--" || len(rest) == 0 {
			return append(others, rest...), nil
		}
		others, args = append(others, rest[0]), rest[1:]
	}
	return others, nil
}

// none refuses arguments of a command that has none but flags.
func (o options) none(others []string, err error) error {
	if err != nil || len(others) == 0 {
		return err
	}
	return usagef("%s takes no argument %q: see \"navseam help %s\"", o.Name(), others[0], o.Name())
}

// wrong explains what the flag package did not like, or gives the help that was asked for.
func (o options) wrong(c *console, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		command, _ := commandNamed(o.Name())
		return cmp.Or(c.print(command.usage), err)
	}
	text := strings.Replace(err.Error(), "flag provided but not defined", "unknown flag", 1)
	return usagef("%s: see \"navseam help %s\"", text, o.Name())
}
