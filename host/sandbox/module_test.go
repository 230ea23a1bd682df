package sandbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// specModule is the module that SPEC.md shows, which has no SDK.
const specModule = "../../abi/testdata/spec.wasm"

// It answers all four operations, alike on every engine: the cases were worked out by hand.
func TestModuleOfTheSpecification(t *testing.T) {
	cases := textOf(t, "../../abi/testdata/sample.cases")
	onEveryEngine(t, func(t *testing.T, engine string) {
		provider, root := provide(t, configOf(specModule, engine)), toyRoot(t)
		asked := map[seam.Operation]bool{}
		for line := range strings.Lines(cases) {
			fields := strings.Fields(line)
			if len(fields) == 0 || fields[0] == "#" {
				continue
			}
			op, err := seam.ParseOperation(fields[0])
			require.NoError(t, err)
			asked[op] = true
			var at seam.Position
			_, err = fmt.Sscanf(fields[1], "%d:%d", &at.Line, &at.Character)
			require.NoError(t, err)
			result, err := seam.Ask(t.Context(), provider, op, target(root, "sample.toy", at.Line, at.Character))
			require.NoError(t, err, line)
			require.Equal(t, strings.Join(fields[2:], " "), saidAs(result), line)
			if locations, ok := result.(seam.Locations); ok {
				for _, item := range locations.Items {
					require.Equal(t, locations.WorkspaceURI+"/sample.toy", item.URI)
				}
			}
		}
		require.Len(t, asked, seam.OperationCount)
	})
}

// saidAs writes an answer as sample.cases does: the ranges of locations, or the range and
// text of a hover.
func saidAs(result seam.Result) string {
	var words []string
	add := func(r seam.Range) {
		words = append(words, fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character))
	}
	switch result := result.(type) {
	case seam.Locations:
		for _, item := range result.Items {
			add(item.Range)
		}
	case seam.HoverResult:
		if result.Hover != nil && result.Hover.Range != nil {
			add(*result.Hover.Range)
		}
		if result.Hover != nil {
			words = append(words, fmt.Sprintf("%q", result.Hover.Contents))
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " ")
}
