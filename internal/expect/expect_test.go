package expect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

const sample = `# about prices
goToDefinition cart/cart.go:12:5
	pricing/price.go:7:6-7:11   # the function

hover a b.go:1:1
	| # Price
	|
	| text
	= a b.go:1:1-1:6

goToImplementation x.py:2:3
	LSP_UNSUPPORTED_OPERATION
hover x.py:9:1
	(none)
`

func TestParseAndCheck(t *testing.T) {
	cases, err := Parse(sample)
	require.NoError(t, err)
	require.Len(t, cases, 4)

	definition := cases[0]
	require.Equal(t, "cart/cart.go", definition.File)
	require.Equal(t, seam.Position{Line: 11, Character: 4}, definition.Position)
	right := seam.Location{URI: "file:///w/pricing/price.go", Range: seam.Range{
		Start: seam.Position{Line: 6, Character: 5}, End: seam.Position{Line: 6, Character: 10},
	}}
	wrong := right
	wrong.Range.End.Character++
	require.NoError(t, definition.Check("/w", seam.Locations{Items: []seam.Location{right}}, nil))
	require.Error(t, definition.Check("/w", seam.Locations{Items: []seam.Location{wrong}}, nil))
	require.Error(t, definition.Check("/w", seam.Locations{Items: []seam.Location{right, right}}, nil))
	require.Error(t, definition.Check("/w", seam.Locations{}, nil))
	require.Error(t, definition.Check("/w", nil, seam.Errorf(seam.CodeTimeout, "late")))

	hover := cases[1]
	require.Equal(t, "a b.go", hover.File)
	span := seam.Range{End: seam.Position{Character: 5}}
	require.NoError(t, hover.Check("/w", seam.HoverResult{Hover: &seam.Hover{Contents: "# Price\n\ntext", Range: &span}}, nil))
	require.Error(t, hover.Check("/w", seam.HoverResult{Hover: &seam.Hover{Contents: "# Price\n\ntext"}}, nil))
	require.Error(t, hover.Check("/w", seam.HoverResult{Hover: &seam.Hover{Contents: "other", Range: &span}}, nil))
	require.Error(t, hover.Check("/w", seam.HoverResult{}, nil))

	require.NoError(t, cases[2].Check("/w", nil, seam.Errorf(seam.CodeUnsupportedOperation, "no")))
	require.Error(t, cases[2].Check("/w", seam.Locations{}, nil))
	require.NoError(t, cases[3].Check("/w", seam.HoverResult{}, nil))
	require.Error(t, cases[3].Check("/w", seam.HoverResult{Hover: &seam.Hover{Contents: "x"}}, nil))
}

func TestParseRefuses(t *testing.T) {
	for _, bad := range []string{
		"\ta.go:1:1-1:2", "hover", "rename a.go:1:1\n\t(none)", "hover a.go:0:1\n\t(none)", "hover a.go:1:1", "hover a.go:1:1\n\tnothing",
	} {
		_, err := Parse(bad)
		require.Error(t, err, "%q", bad)
	}
}
