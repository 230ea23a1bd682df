package nearest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/nearest"
)

func TestNearest(t *testing.T) {
	words := []string{"init", "check", "query", "schema", "version", "command", "args", "env", "killGraceMs"}
	for written, want := range map[string]string{
		"chekc":         "check",
		"comand":        "command",
		"Command":       "command",
		"arguments":     "",
		"arg":           "args",
		"environ":       "",
		"kill_grace_ms": "killGraceMs",
		"quer":          "query",
		"querry":        "query",
		"scheme":        "schema",
		"intit":         "init",
		"":              "",
		"in":            "init",
		"x":             "",
		"abcdefg":       "",
		"mcp":           "",
	} {
		require.Equal(t, want, nearest.Word(written, words), written)
	}
}
