package tool

import (
	"fmt"
	"strings"

	"github.com/navseam/navseam/seam"
)

// incompleteNote ends an answer that is not the whole truth.
const incompleteNote = "This answer is incomplete: the server was still reading the workspace, or left something out. What is missing here may exist; ask again."

// Render is an answer as text, without a line break at its end: a line for each location,
// path:line:character, grouped by file in the order in which the files first appear, or
// what a hover says.
func Render(result seam.Result) string {
	var text string
	var completeness seam.Completeness
	switch answer := result.(type) {
	case seam.Locations:
		text, completeness = renderLocations(answer), answer.Completeness
	case seam.HoverResult:
		text, completeness = renderHover(answer), answer.Completeness
	}
	if completeness == seam.Incomplete {
		text += "\n" + incompleteNote
	}
	return text
}

func renderLocations(answer seam.Locations) string {
	if len(answer.Items) == 0 {
		return "No results."
	}
	var lines []string
	for _, file := range byFile(answer) {
		for _, start := range file.starts {
			line, character := start.OneBased()
			lines = append(lines, fmt.Sprintf("%s:%d:%d", file.path, line, character))
		}
	}
	return strings.Join(lines, "\n")
}

func renderHover(answer seam.HoverResult) string {
	if answer.Hover == nil {
		return "No hover information."
	}
	return Escape(answer.Hover.Contents)
}

// fileStarts is where the locations in one file begin, in the provider's order.
type fileStarts struct {
	path   string // as it is shown
	starts []seam.Position
}

func byFile(answer seam.Locations) []fileStarts {
	shown := newPaths(answer.WorkspaceURI)
	var files []fileStarts
	index := map[string]int{}
	for _, item := range answer.Items {
		path := shown.of(item.URI)
		i, known := index[path]
		if !known {
			i = len(files)
			index[path] = i
			files = append(files, fileStarts{path: path})
		}
		files[i].starts = append(files[i].starts, item.Range.Start)
	}
	return files
}
