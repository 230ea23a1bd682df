package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

// the command answers as the library does, each time with a server that it starts
// and ends.
func TestRealServers(t *testing.T) {
	for _, name := range realserver.Names() {
		t.Run(name, func(t *testing.T) {
			f := realserver.Prepare(t, name)
			for _, c := range f.FirstOfEach() {
				t.Run(c.Operation.String()+" "+c.Place, func(t *testing.T) {
					result, err := queryJSON(t, c.Operation.String(), c.Place, "-w", f.Root, "-c", f.Config)
					require.NoError(t, c.Check(f.Root, result, err))
				})
			}
		})
	}
}

// queryJSON runs the command and reads what it prints.
func queryJSON(t *testing.T, args ...string) (seam.Result, error) {
	t.Helper()
	output, failed := exec.Command("navseam", append([]string{"query", "--json"}, args...)...).Output()
	var printed struct {
		Kind      string
		Locations []seam.Location
		Hover     *seam.Hover
		Error     *struct {
			Code    seam.Code
			Message string
		}
	}
	require.NoError(t, json.Unmarshal(output, &printed), "%s", output)
	require.Equal(t, failed != nil, printed.Error != nil, "%s", output)
	switch {
	case printed.Error != nil:
		return nil, &seam.Error{Code: printed.Error.Code, Message: printed.Error.Message}
	case printed.Kind == "hover":
		return seam.HoverResult{Hover: printed.Hover}, nil
	default:
		return seam.Locations{Items: printed.Locations}, nil
	}
}
