package main

import (
	"context"
	"slices"
	"strings"
)

const helpUsage = `navseam help [COMMAND...]

Explains a command, or lists them all.`

func help(_ context.Context, c *console, args []string) int {
	if len(args) == 0 || wantsHelp(args[0]) {
		return c.report(c.print(overview()))
	}
	name := strings.Join(args, " ")
	command, found := commandNamed(name)
	if !found || command.usage == "" {
		return c.report(unknownCommand(name))
	}
	return c.report(c.print(command.usage))
}

func wantsHelp(arg string) bool {
	return slices.Contains([]string{"-h", "-help", "--help"}, arg)
}
