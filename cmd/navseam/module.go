package main

import (
	"context"
	"strings"

	"github.com/navseam/navseam/internal/nearest"
)

const moduleUsage = `navseam module COMMAND FILE...

Looks into provider modules (WebAssembly) and tries them, before they are let into a
configuration.

  inspect FILE                     what a module is and asks for; none of its code runs
  run OPERATION FILE:LINE:COLUMN   ask it one question
  test FILE                        ask it everything, and report its faults

A module that runs sees what its --grant flags allow, and nothing else.

"navseam help module COMMAND" explains one of them.`

// moduleCommands are the second words of "navseam module". In the list of commands they are
// hidden, each under both words.
func moduleCommands() []command {
	return []command{
		{name: "module inspect", usage: moduleInspectUsage, run: moduleInspect},
		{name: "module run", usage: moduleRunUsage, run: moduleRun},
		{name: "module test", usage: moduleTestUsage, run: moduleTest},
	}
}

func module(ctx context.Context, c *console, args []string) int {
	if len(args) == 0 {
		c.complain(moduleUsage)
		return statusUsage
	}
	name, args := args[0], args[1:]
	if wantsHelp(name) || name == "help" {
		return help(ctx, c, append([]string{"module"}, args...))
	}
	command, found := commandNamed("module " + name)
	if !found {
		return c.report(unknownModuleCommand(name))
	}
	return command.run(ctx, c, args)
}

// unknownModuleCommand guesses what was meant.
func unknownModuleCommand(name string) error {
	var names []string
	for _, command := range moduleCommands() {
		names = append(names, strings.TrimPrefix(command.name, "module "))
	}
	if guess := nearest.Word(name, names); guess != "" {
		return usagef("there is no command \"module %s\": did you mean \"module %s\"?", name, guess)
	}
	return usagef("there is no command \"module %s\": use %s", name, strings.Join(names, ", "))
}
