package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/navseam/navseam/internal/nearest"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/seam"
)

// command is one thing that navseam can do.
type command struct {
	name    string
	summary string // one line; a command without one is not shown
	usage   string // what help shows
	run     func(ctx context.Context, c *console, args []string) int
}

// commands lists them in the order in which people need them.
func commands() []command {
	return append([]command{
		{"init", "write a configuration for the language servers that are installed", initUsage, initConfig},
		{"check", "check the configuration, and with --start each server", checkUsage, check},
		{"query", "ask for a definition, references, implementations or a hover", queryUsage, query},
		{"mcp", "serve agents: the lsp tool over the Model Context Protocol", mcpUsage, serveMCP},
		{"module", "look into a provider module, and try it (WebAssembly)", moduleUsage, module},
		{"schema", "print the JSON Schema of the configuration", schemaUsage, schema},
		{"version", "print the version", versionUsage, version},
		{"help", "explain a command", helpUsage, help},
		{name: superviseName, run: supervise},
	}, moduleCommands()...)
}

// superviseName is the command that navseam starts language servers with, so that none
// outlives it.
const superviseName = "supervise"

func supervise(_ context.Context, _ *console, args []string) int { return process.Supervise(args) }

func commandNamed(name string) (command, bool) {
	for _, command := range commands() {
		if command.name == name {
			return command, true
		}
	}
	return command{}, false
}

// unknownCommand guesses what was meant.
func unknownCommand(name string) error {
	if _, err := seam.ParseOperation(name); err == nil {
		return usagef("%q is a question: write \"navseam query %s FILE:LINE:COLUMN\"", name, name)
	}
	if second, ok := strings.CutPrefix(name, "module "); ok {
		return unknownModuleCommand(second)
	}
	var names []string
	for _, command := range commands() {
		if command.summary != "" {
			names = append(names, command.name)
		}
	}
	if guess := nearest.Word(name, names); guess != "" {
		return usagef("there is no command %q: did you mean %q? \"navseam help\" lists them", name, guess)
	}
	return usagef("there is no command %q: use %s", name, strings.Join(names, ", "))
}

// overview is the help of navseam itself.
func overview() string {
	var b strings.Builder
	b.WriteString(`navseam asks language servers and sandboxed modules about code: where a symbol is defined, used and implemented,
and what is known of it.

  navseam COMMAND [ARGUMENTS]

`)
	for _, command := range commands() {
		if command.summary != "" {
			fmt.Fprintf(&b, "  %-8s  %s\n", command.name, command.summary)
		}
	}
	b.WriteString(`
Begin with "navseam init", then "navseam check --start" in a folder with code, then
"navseam query hover FILE:LINE:COLUMN". "navseam help COMMAND" explains a command.`)
	return b.String()
}
