package sandbox_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/seam/seamtest"
)

// A module is a provider like any other.
func TestConformance(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		root := folderWith(t, map[string]string{"a.toy": "def area\nimpl area\nuse area!\n"})
		outside := folderWith(t, map[string]string{"b.toy": "def area\n"})
		at := func(line, start, end int) seam.Location {
			return seam.Location{URI: workspace.FileURI(filepath.Join(root, "a.toy")), Range: seam.Range{
				Start: seam.Position{Line: line, Character: start}, End: seam.Position{Line: line, Character: end},
			}}
		}
		place := func(line, character int) seamtest.Place {
			return seamtest.Place{File: "a.toy", Position: seam.Position{Line: line, Character: character}}
		}
		seamtest.Run(t, seamtest.Fixture{
			Provider:     provide(t, configOf(specModule, engine)),
			Root:         root,
			WorkspaceURI: workspace.FileURI(root),
			Language:     "toy",
			Cases: []seamtest.Case{
				{Operation: seam.OpGoToDefinition, Place: place(2, 5), Locations: []seam.Location{at(0, 4, 8)}},
				{Operation: seam.OpFindReferences, Place: place(2, 5), Locations: []seam.Location{at(0, 4, 8), at(1, 5, 9), at(2, 4, 8)}},
				{Operation: seam.OpGoToImplementation, Place: place(2, 5), Locations: []seam.Location{at(1, 5, 9)}},
				{Operation: seam.OpHover, Place: place(2, 5), Hover: "def area"},
			},
			Nothing:     place(3, 0),
			OutsideFile: filepath.Join(outside, "b.toy"),
		})
	})
}

// What a module does not export is known without running it.
func TestOperationsThatAModuleDoesNotHave(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		p, root := provide(t, configOf("testdata/modules/many.wasm", engine)), toyRoot(t)
		for _, op := range []seam.Operation{seam.OpGoToDefinition, seam.OpGoToImplementation, seam.OpHover} {
			_, err := seam.Ask(t.Context(), p, op, target(root, "sample.toy", 0, 0))
			require.Equal(t, seam.CodeUnsupportedOperation, seam.CodeOf(err), "%v", err)
		}
		require.Empty(t, p.Status().Workspaces, "nothing was started")
	})
}
