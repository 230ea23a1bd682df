package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/providers/stdio"
)

func TestWaitingFor(t *testing.T) {
	processes := func(all ...stdio.ProcessStatus) stdio.WorkspaceStatus {
		return stdio.WorkspaceStatus{Processes: all}
	}
	for name, test := range map[string]struct {
		workspace stdio.WorkspaceStatus
		since     time.Duration
		want      string
	}{
		"nothing yet":          {processes(), 0, ""},
		"nothing to do":        {processes(stdio.ProcessStatus{State: "ready"}), time.Minute, ""},
		"behind another":       {processes(stdio.ProcessStatus{State: "waiting"}), 0, "go: waiting for another server to end…"},
		"starting":             {processes(stdio.ProcessStatus{State: "starting", Busy: true}), 0, "starting go…"},
		"indexing":             {processes(stdio.ProcessStatus{State: "indexing"}), 0, "go: reading the workspace…"},
		"in its own words":     {processes(stdio.ProcessStatus{State: "indexing", Progress: "Loading 40%"}), 0, "go: Loading 40%…"},
		"asked while it works": {processes(stdio.ProcessStatus{State: "ready", Busy: true, Progress: "Checking"}), 0, "go: Checking…"},
		"asked":                {processes(stdio.ProcessStatus{State: "ready", Busy: true}), 12500 * time.Millisecond, "go: looking for the answer… (12 s)"},
		"in a project": {stdio.WorkspaceStatus{
			Root: filepath.FromSlash("/w"), Project: filepath.FromSlash("/w/api/v1"),
			Processes: []stdio.ProcessStatus{{State: "starting"}},
		}, 0, "starting go in api/v1…"},
		"in line": {stdio.WorkspaceStatus{Queue: 3, Processes: []stdio.ProcessStatus{{State: "ready", Busy: true}}}, 0, "go: in line behind 3"},
	} {
		t.Run(name, func(t *testing.T) {
			status := host.Status{Providers: []host.ProviderStatus{
				{ID: "idle"},
				{ID: "go", Server: stdio.Status{Workspaces: []stdio.WorkspaceStatus{test.workspace}}},
			}}
			require.Equal(t, test.want, waitingFor(status, test.since))
		})
	}
}
