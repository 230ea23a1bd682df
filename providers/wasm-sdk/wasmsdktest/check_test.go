//go:build !wasip1

package wasmsdktest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/sample"
	"github.com/navseam/navseam/seam"
)

// recorder is a test that fails without failing.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestWrongAnswersFailTheTest(t *testing.T) {
	location := func(l wasmsdk.Location) func(uint32, uint32) int32 {
		return func(line, character uint32) int32 {
			return wasmsdk.Navigate(func(wasmsdk.Query) ([]wasmsdk.Location, error) {
				return []wasmsdk.Location{l}, nil
			}, line, character)
		}
	}
	const (
		empty  = "a path is not empty and has no NUL or backslash"
		leaves = "a path is relative to the workspace and stays in it, or is an absolute URI"
	)
	paths := map[string]string{
		"a":             "",
		"a/../b":        "",
		"%20 ä":         "",
		"https://x/../": "",
		"..a":           "",
		"":              empty,
		`a\b`:           empty,
		"a\x00":         empty,
		"/a":            leaves,
		"..":            leaves,
		"a/../../b":     leaves,
		"\xff":          "the path is not UTF-8",
	}
	for path, problem := range paths {
		r := &recorder{TB: t}
		host("").Ask(r, location(wasmsdk.Location{Path: path}), "", seam.Position{})
		if problem == "" {
			require.Empty(t, r.errors, path)
		} else {
			require.Equal(t, []string{fmt.Sprintf("location %q: %s", path, problem)}, r.errors)
		}
	}

	for text, problem := range map[string]string{
		"backwards": "the end is before the start",
		"negative":  "a coordinate is negative or larger than 2^31-1",
	} {
		r := &recorder{TB: t}
		host(text).Ask(r, native().goToDefinition, text, seam.Position{})
		require.Len(t, r.errors, 1)
		require.Contains(t, r.errors[0], problem)
	}

	r := &recorder{TB: t}
	backwards := sample.At("", 0).Range
	backwards.Start, backwards.End = backwards.End, backwards.Start
	host("").Ask(r, func(line, character uint32) int32 {
		return wasmsdk.Hover(func(wasmsdk.Query) (*seam.Hover, error) {
			return &seam.Hover{Contents: "\xff", Range: &backwards}, nil
		}, line, character)
	}, "", seam.Position{})
	require.Len(t, r.errors, 2)
}
