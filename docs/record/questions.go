package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// question names a line by what is written there, so that it survives changes around it.
type question struct {
	operation string
	file      string // relative to the root
	code      string // in the line that is meant
	symbol    string
}

func questions() []question {
	const schema = "examples/wasm-provider/sample/schema.graphql"
	return []question{
		{"goToDefinition", "seam/registry.go", ":= Ask(ctx", "Ask"},
		{"findReferences", "seam/provider.go", "func Ask(", "Ask"},
		{"goToImplementation", "seam/provider.go", "type Provider interface", "Provider"},
		{"hover", schema, "implements Node & Owner", "Node"},
	}
}

// args are what the command gets.
func (q question) args(root string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(q.file)))
	if err != nil {
		return nil, err
	}
	before, _, found := strings.Cut(string(content), q.code)
	if !found {
		return nil, fmt.Errorf("%s no longer contains %q", q.file, q.code)
	}
	line := strings.Count(before, "\n") + 1
	return []string{"query", q.operation, fmt.Sprintf("%s:%d", q.file, line), "--symbol", q.symbol}, nil
}
