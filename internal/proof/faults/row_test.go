package faults

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

const folder = "../../../testdata/faults"

// row is a file of testdata/faults. Its README.md says what the members mean.
type row struct {
	About         string            `json:"about"`
	Server        fakeserver.Script `json:"server"`
	Config        map[string]any    `json:"config"`
	Systems       []string          `json:"systems"`
	DocumentBytes int               `json:"documentBytes"`
	Ask           string            `json:"ask"`
	Expect        outcome           `json:"expect"`
	PauseMS       int               `json:"pauseMs"`
	Then          []outcome         `json:"then"`
	Starts        int               `json:"starts"`
	Replies       []reply           `json:"replies"`

	name string
}

// outcome is what a question comes to.
type outcome struct {
	DeadlineMS int `json:"deadlineMs"`

	Locations    []string        `json:"locations"`
	Count        *int            `json:"count"`
	Hover        json.RawMessage `json:"hover"`
	Range        string          `json:"range"`
	Completeness string          `json:"completeness"`

	Error  seam.Code `json:"error"`
	Reason string    `json:"reason"`
	Limit  string    `json:"limit"`
	Server int64     `json:"server"`
	Says   string    `json:"says"`
}

// reply is what the server gets to a request of its own.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  int64           `json:"error"`
}

// usualDeadline is that of a caller whose row says nothing.
const usualDeadline = 30 * time.Second

func (o outcome) deadline() time.Duration {
	if o.DeadlineMS == 0 {
		return usualDeadline
	}
	return time.Duration(o.DeadlineMS) * time.Millisecond
}

// rows reads all of them, and leaves out those of other systems.
func rows(t *testing.T) []row {
	t.Helper()
	var all []row
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		r := readRow(t, path)
		if r.Systems == nil || slices.Contains(r.Systems, runtime.GOOS) {
			all = append(all, r)
		}
		return nil
	}))
	require.NotEmpty(t, all)
	return all
}

func readRow(t *testing.T, path string) (r row) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&r), path)
	name, err := filepath.Rel(folder, path)
	require.NoError(t, err)
	r.name = strings.TrimSuffix(filepath.ToSlash(name), ".json")
	return r
}

// TestRows: a row without an expectation would prove nothing, and one with two would leave
// one of them out.
func TestRows(t *testing.T) {
	all := rows(t)
	require.GreaterOrEqual(t, len(all), 60)
	for _, r := range all {
		require.NotEmpty(t, r.About, r.name)
		require.Contains(t, operations(), r.Ask, r.name)
		for _, o := range append([]outcome{r.Expect}, r.Then...) {
			kinds := 0
			for _, has := range []bool{o.Locations != nil, o.Count != nil, o.Hover != nil, o.Error != ""} {
				if has {
					kinds++
				}
			}
			require.Equal(t, 1, kinds, "%s: an outcome has one of locations, count, hover and error", r.name)
		}
	}
}

func operations() map[string]seam.Operation {
	return map[string]seam.Operation{
		"goToDefinition": seam.OpGoToDefinition, "findReferences": seam.OpFindReferences,
		"goToImplementation": seam.OpGoToImplementation, "hover": seam.OpHover,
	}
}
