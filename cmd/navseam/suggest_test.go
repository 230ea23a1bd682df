package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	words := []string{"init", "check", "query", "schema", "version"}
	for written, want := range map[string]string{
		"chekc":   "check",
		"quer":    "query",
		"querry":  "query",
		"scheme":  "schema",
		"intit":   "init",
		"":        "",
		"in":      "init",
		"x":       "",
		"abcdefg": "",
		"mcp":     "",
	} {
		require.Equal(t, want, nearest(written, words), written)
	}
}
