package langserver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestOperationsOffered(t *testing.T) {
	cases := []struct {
		name, value string
		offered     bool
	}{
		{"A-128 true", `true`, true},
		{"A-128 options", `{"workDoneProgress":true}`, true},
		{"A-128 empty options", `{}`, true},
		{"A-128 false", `false`, false},
		{"A-129 null is absent", `null`, false},
		{"A-129 zero", `0`, true},
		{"A-129 empty text", `""`, true},
	}
	names := [seam.OperationCount]string{"definitionProvider", "referencesProvider", "implementationProvider", "hoverProvider"}
	for _, c := range cases {
		for op, name := range names {
			t.Run(c.name+" "+name, func(t *testing.T) {
				caps, err := parseInitialize("x", json.RawMessage(`{"capabilities":{"`+name+`":`+c.value+`}}`))
				require.NoError(t, err)
				var want [seam.OperationCount]bool
				want[op] = c.offered
				require.Equal(t, want, caps.operations)
			})
		}
	}
}

func TestSyncOffered(t *testing.T) {
	cases := []struct {
		name, value       string
		openClose, change bool
	}{
		{"A-130 full", `1`, true, true},
		{"A-130 incremental", `2`, true, true},
		{"A-130 none", `0`, false, false},
		{"A-130 unknown kind", `3`, false, false},
		{"A-130 open and close", `{"openClose":true}`, true, false},
		{"A-130 open and close with change", `{"openClose":true,"change":2}`, true, true},
		{"A-130 change none", `{"openClose":true,"change":0}`, true, false},
		{"A-130 null change", `{"openClose":true,"change":null}`, true, false},
		{"A-130 change alone", `{"change":2}`, false, false},
		{"A-130 open and close denied", `{"openClose":false,"change":1}`, false, false},
		{"A-130 open and close not a bool", `{"openClose":"true"}`, false, false},
		{"A-130 empty", `{}`, false, false},
		{"A-130 null", `null`, false, false},
		{"A-130 text", `"full"`, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			caps, err := parseInitialize("x", json.RawMessage(`{"capabilities":{"textDocumentSync":`+c.value+`}}`))
			require.NoError(t, err)
			require.Equal(t, c.openClose, caps.openClose)
			require.Equal(t, c.change, caps.change)
		})
	}
	caps, err := parseInitialize("x", json.RawMessage(`{"capabilities":{}}`))
	require.NoError(t, err)
	require.Equal(t, capabilities{}, caps)
}

func TestInitializeReplies(t *testing.T) {
	cases := []struct {
		name, result string
		code         seam.Code
	}{
		{"A-125 no encoding", `{"capabilities":{}}`, ""},
		{"A-125 utf-16", `{"capabilities":{"positionEncoding":"utf-16"}}`, ""},
		{"A-125 null encoding", `{"capabilities":{"positionEncoding":null}}`, ""},
		{"A-125 utf-8", `{"capabilities":{"positionEncoding":"utf-8"}}`, seam.CodeProviderFailed},
		{"A-125 a number", `{"capabilities":{"positionEncoding":16}}`, seam.CodeProviderFailed},
		{"A-127 null", `null`, seam.CodeMalformedResponse},
		{"A-127 no capabilities", `{}`, seam.CodeMalformedResponse},
		{"A-127 null capabilities", `{"capabilities":null}`, seam.CodeMalformedResponse},
		{"A-127 a list", `[]`, seam.CodeMalformedResponse},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseInitialize("pyright", json.RawMessage(c.result))
			if c.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.code, seam.CodeOf(err))
			require.ErrorContains(t, err, "pyright")
		})
	}
}
