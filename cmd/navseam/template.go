package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const configHead = `# The configuration of navseam, written by "navseam init" for the language servers that it
# found. It is yours now: navseam runs what this file names, and looks for nothing by itself.
# "navseam check" checks it, and "navseam schema" prints its schema for editors.

servers:
`

// configText is a configuration for the servers that were found.
func configText(found []foundServer) string {
	var b strings.Builder
	b.WriteString(configHead)
	for _, server := range found {
		if server.idle() {
			others := strings.Join(server.to, ", ")
			fmt.Fprintf(&b, "  # %s was found too, but %s serves its files. To use it instead, take over what\n"+
				"  # is written here for %s and put in: %s\n\n", server.ID, others, others, strings.Map(oneLine, server.path))
			continue
		}
		entry(&b, server)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func entry(b *strings.Builder, server foundServer) {
	fmt.Fprintf(b, "  %s: # %s\n", server.ID, server.Language)
	fmt.Fprintf(b, "    command: %s\n", literal(server.path))
	if len(server.Args) > 0 {
		fmt.Fprintf(b, "    args: %s\n", literals(server.Args))
	}
	if len(server.gave) > 0 {
		fmt.Fprintf(b, "    # Left to %s: %s\n", strings.Join(server.to, ", "), strings.Join(server.gave, " "))
	}
	routes(b, "extensionToLanguage", server.Extensions)
	routes(b, "fileNameToLanguage", server.FileNames)
	for line := range strings.Lines(server.More) {
		b.WriteString("    " + line)
	}
	b.WriteString("\n")
}

func routes(b *strings.Builder, key string, table map[string]string) {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		pairs = append(pairs, quoted(name)+": "+table[name])
	}
	if len(pairs) > 0 {
		fmt.Fprintf(b, "    %s: {%s}\n", key, strings.Join(pairs, ", "))
	}
}

// literal is a text in which nothing is to be expanded.
func literal(text string) string { return quoted(strings.ReplaceAll(text, "${", "$${")) }

func literals(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, literal(text))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// quoted is a text in double quotes, which YAML shares with JSON.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return `""` // not reached: a string has a JSON form
	}
	return string(encoded)
}
