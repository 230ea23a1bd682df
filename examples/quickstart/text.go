package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/navseam/navseam/seam"
)

// question names a place by what is written there, so that it survives changes around it.
type question struct {
	operation seam.Operation
	file      string // relative to the root
	code      string // the first text like this in the file
	symbol    string // what is asked about in it
}

func (q question) position(root string) (seam.Position, error) {
	content, err := os.ReadFile(filepath.Join(root, q.file))
	if err != nil {
		return seam.Position{}, err
	}
	start := strings.Index(string(content), q.code)
	if start < 0 {
		return seam.Position{}, fmt.Errorf("%s no longer contains %q", q.file, q.code)
	}
	return seam.NewText(string(content)).Position(start + strings.Index(q.code, q.symbol))
}

// show prints places as path:line:column and the line itself, and a hover as it came.
func show(w io.Writer, root string, result seam.Result) {
	switch answer := result.(type) {
	case seam.Locations:
		for _, location := range answer.Items {
			path := relative(location.URI, answer.WorkspaceURI)
			content, _ := os.ReadFile(filepath.Join(root, path))
			source, _ := seam.NewText(string(content)).Line(location.Range.Start.Line)
			line, character := location.Range.Start.OneBased()
			fmt.Fprintf(w, "  %s:%d:%d: %s\n", path, line, character, strings.TrimSpace(source))
		}
	case seam.HoverResult:
		if answer.Hover != nil {
			fmt.Fprintln(w, "  "+strings.ReplaceAll(answer.Hover.Contents, "\n", "\n  "))
		}
	}
	fmt.Fprintln(w)
}

// relative gives the path of a URI from the workspace. The answer's own URI of the workspace
// is the one to compare with; servers escape in their own ways, so both are decoded first.
func relative(uri, workspaceURI string) string {
	file, _ := url.PathUnescape(uri)
	folder, _ := url.PathUnescape(workspaceURI)
	return strings.TrimPrefix(file, folder+"/")
}
