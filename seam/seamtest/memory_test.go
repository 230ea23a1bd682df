package seamtest_test

import (
	"testing"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/seam/seamtest"
)

func TestMemoryConforms(t *testing.T) {
	definition := seam.Location{URI: "file:///shop/a.txt", Range: seam.Range{End: seam.Position{Character: 5}}}
	use := seam.Location{URI: "file:///shop/a.txt", Range: seam.Range{Start: seam.Position{Line: 1}, End: seam.Position{Line: 1, Character: 5}}}
	at := seam.Position{Line: 1, Character: 2}
	memory := &seamtest.Memory{
		Name:         "memory",
		Served:       seam.Routes{Extensions: map[string]string{".txt": "plaintext"}},
		Root:         "/shop",
		WorkspaceURI: "file:///shop",
		Files:        map[string]string{"a.txt": "price\nprice\n"},
		Unsupported:  map[seam.Operation]bool{seam.OpGoToImplementation: true},
		Answers: map[seamtest.Question]seam.Result{
			{Operation: seam.OpGoToDefinition, FilePath: "a.txt", Position: at}: seam.Locations{Items: []seam.Location{definition}},
			{Operation: seam.OpFindReferences, FilePath: "a.txt", Position: at}: seam.Locations{Items: []seam.Location{definition, use}},
			{Operation: seam.OpHover, FilePath: "a.txt", Position: at}:          seam.HoverResult{Hover: &seam.Hover{Contents: "a price"}},
		},
	}
	place := seamtest.Place{File: "a.txt", Position: at}
	seamtest.Run(t, seamtest.Fixture{
		Provider:     memory,
		Root:         "/shop",
		WorkspaceURI: "file:///shop",
		Language:     "plaintext",
		Cases: []seamtest.Case{
			{Operation: seam.OpGoToDefinition, Place: place, Locations: []seam.Location{definition}},
			{Operation: seam.OpFindReferences, Place: place, Locations: []seam.Location{use, definition}},
			{Operation: seam.OpHover, Place: place, Hover: "a price"},
		},
		Nothing:     seamtest.Place{File: "a.txt"},
		Unsupported: []seam.Operation{seam.OpGoToImplementation},
		OutsideFile: "/other/b.txt",
	})
}
