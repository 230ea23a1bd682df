package tool

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// what clients are known to cut or to refuse is not there.
func TestDescription(t *testing.T) {
	require.Equal(t, "lsp", Name)
	require.Less(t, len(Description), 2_000)
	require.Less(t, len(InputSchema()), 1_500)
	for _, operation := range seam.Operations() {
		require.Contains(t, Description, operation.String())
	}
	for _, said := range []string{"language server", "counted from 1", "UTF-16", "declaration included"} {
		require.Contains(t, Description, said)
	}
}

// the five facts.
func TestInstructions(t *testing.T) {
	for _, said := range []string{
		"search and read tools as usual", "text matches are ambiguous", "before a change that needs exact definitions, implementations or references",
		"counted from one, at the cursor", "a position off a symbol may give nothing", "References always include the declaration",
	} {
		require.Contains(t, Instructions, said)
	}
}

// the operations in their order, and of every type one: no null beside it, no choice.
func TestInputSchema(t *testing.T) {
	var schema struct {
		Type       string
		Properties map[string]struct {
			Type        string
			Enum        []string
			Minimum     int
			Description string
		}
		Required             []string
		AdditionalProperties *bool
	}
	require.NoError(t, json.Unmarshal(InputSchema(), &schema))
	require.Equal(t, "object", schema.Type)
	require.Equal(t, []string{"operation", "file_path", "line"}, schema.Required)
	require.Equal(t, false, *schema.AdditionalProperties)
	require.Len(t, schema.Properties, len(argumentNames()))
	for name, kind := range map[string]string{"operation": "string", "file_path": "string", "line": "integer", "character": "integer", "symbol": "string"} {
		require.Equal(t, kind, schema.Properties[name].Type, name)
		require.NotEmpty(t, schema.Properties[name].Description, name)
	}
	var names []string
	for _, operation := range seam.Operations() {
		names = append(names, operation.String())
	}
	require.Equal(t, names, schema.Properties["operation"].Enum)
	for _, word := range []string{"oneOf", "anyOf", "allOf", "null", "$ref", "const"} {
		require.NotContains(t, string(InputSchema()), `"`+word+`"`)
	}
}
