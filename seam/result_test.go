package seam_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// the closed union as it is printed.
func TestResultJSON(t *testing.T) {
	span := seam.Range{Start: at(1, 2), End: at(1, 5)}
	cases := []struct {
		name   string
		result seam.Result
		want   string
	}{
		{
			"A-030 locations",
			seam.Locations{Items: []seam.Location{{URI: "untitled:X y", Range: span}}, WorkspaceURI: "file:///w", Completeness: seam.Complete},
			`{"kind":"locations","locations":[{"uri":"untitled:X y","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}}],"resolvedWorkspaceUri":"file:///w","completeness":"complete"}`,
		},
		{"A-033 an empty list is a list", seam.Locations{WorkspaceURI: "file:///w"}, `{"kind":"locations","locations":[],"resolvedWorkspaceUri":"file:///w","completeness":"unknown"}`},
		{"A-033 null hover", seam.HoverResult{Completeness: seam.Incomplete}, `{"kind":"hover","hover":null,"completeness":"incomplete"}`},
		{"A-033 hover", seam.HoverResult{Hover: &seam.Hover{Contents: "x", Range: &span}}, `{"kind":"hover","hover":{"contents":"x","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}},"completeness":"unknown"}`},
		{"A-033 hover without range", seam.HoverResult{Hover: &seam.Hover{Contents: "x"}}, `{"kind":"hover","hover":{"contents":"x"},"completeness":"unknown"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(c.result)
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(got))
		})
	}
}

// the spelling that models know, and nothing beyond navigation and hover.
func TestOperations(t *testing.T) {
	for i, name := range []string{"goToDefinition", "findReferences", "goToImplementation", "hover"} {
		op, err := seam.ParseOperation(name)
		require.NoError(t, err)
		require.Equal(t, seam.Operations()[i], op)
		require.Equal(t, name, op.String())
	}
	for _, name := range []string{"", "Hover", "rename", "unknown operation"} {
		_, err := seam.ParseOperation(name)
		require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
	}
	require.False(t, seam.Operation(seam.OperationCount).Valid())
}
