package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/jsonline"
	"github.com/navseam/navseam/seam"
)

// Every character, in every place of an answer and of a failure.
func TestPrintedJSONHasNothingUnseen(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if jsonline.Unseen(r) {
			all.WriteRune(r)
		}
	}
	data, err := json.Marshal(map[string]string{all.String(): all.String()})
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	c := &console{stdout: &stdout, stderr: &stderr, json: true}
	require.NoError(t, c.printJSON(seam.HoverResult{Hover: &seam.Hover{Contents: all.String()}}))
	status := c.report(seam.Errorf(seam.CodeProviderFailed, "%s: %w", all.String(), &seam.ServerError{Message: all.String(), Data: data}))
	require.Equal(t, statusFailed, status)
	for _, r := range strings.ReplaceAll(stdout.String(), "\n", "") {
		require.False(t, jsonline.Unseen(r), fmt.Sprintf("%U", r))
	}
	require.Equal(t, 2, strings.Count(stdout.String(), "\n"))
}
