package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// document is a file that a module is asked about, and where in it.
type document struct {
	path      string // absolute, or relative to the workspace
	positions []seam.Position
}

// builtinDocuments are small texts, by name, with what positions get wrong: nothing at all,
// line breaks of two bytes, characters of two UTF-16 units, a last line that no break ends.
func builtinDocuments() map[string]string {
	return map[string]string{
		"plain.txt":  "type Query\n  find(name: String): Node\nend Query\n",
		"empty.txt":  "",
		"crlf.txt":   "type Query\r\n  find Node\r\n\r\nend Query",
		"astral.txt": "a 😀 type\n𐐷𐐷𐐷 Node\n名😀",
	}
}

// writeDocuments fills a folder with the built-in documents.
func writeDocuments(folder string) (documents []document, err error) {
	texts := builtinDocuments()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(texts[name]), 0o600); err != nil {
			return nil, err
		}
		documents = append(documents, document{name, positionsIn(texts[name])})
	}
	return documents, nil
}

// readDocuments looks at the files that were given, which have to be in the workspace.
func readDocuments(ctx context.Context, root string, files []string, config host.Config) (documents []document, err error) {
	for _, file := range files {
		path := inWorkspace(file, root)
		text, err := readSource(ctx, root, path, config)
		if err != nil {
			return nil, err
		}
		documents = append(documents, document{path, positionsIn(text)})
	}
	return documents, nil
}

// positionsIn are the start of a text, its middle and its end, as far as they differ.
func positionsIn(text string) []seam.Position {
	lines := seam.NewText(text)
	last := lines.Lines() - 1
	middle, _ := lines.Line(last / 2)
	end, _ := lines.Line(last)
	return slices.Compact([]seam.Position{
		{},
		{Line: last / 2, Character: seam.UTF16Len(middle) / 2},
		{Line: last, Character: seam.UTF16Len(end)},
	})
}
