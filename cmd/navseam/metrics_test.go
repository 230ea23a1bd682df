package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/providers/stdio"
)

// What a status says is the sum over the workspaces, and names none of them.
func TestMetrics(t *testing.T) {
	status := host.Status{Providers: []host.ProviderStatus{
		{ID: "broken", Kind: host.KindNative, Err: errors.New("no such program")},
		{ID: "gopls", Kind: host.KindNative, Server: stdio.Status{Workspaces: []stdio.WorkspaceStatus{
			{Root: "/secret/one", Queue: 2, Starts: 3, Failures: 1, Processes: []stdio.ProcessStatus{
				{State: "ready", Busy: true, Documents: 4, Told: 10, ToTouch: 1}, {State: "starting"},
			}},
			{Root: "/secret/two", Queue: 1, Starts: 5, CircuitOpen: time.Second, Processes: []stdio.ProcessStatus{{State: "ready", Documents: 1}}},
		}}},
		{ID: "index", Kind: host.KindModule, Module: sandbox.Status{Workspaces: []sandbox.WorkspaceStatus{
			{Root: "/secret/one", Busy: 1, Queue: 6, Starts: 2, MemoryBytes: 1 << 20, Failures: 4},
		}}},
	}}
	recorder := httptest.NewRecorder()
	metricsHandler(func() host.Status { return status }).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, recorder.Code)
	var got []string
	for line := range strings.Lines(recorder.Body.String()) {
		if strings.HasPrefix(line, "navseam_") && !strings.HasSuffix(line, " 0\n") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	slices.Sort(got)
	require.Equal(t, []string{
		`navseam_busy{kind="module",provider="index"} 1`,
		`navseam_busy{kind="native",provider="gopls"} 1`,
		`navseam_changed_files_told{kind="native",provider="gopls"} 10`,
		`navseam_changed_files_untouched{kind="native",provider="gopls"} 1`,
		`navseam_circuits_open{kind="native",provider="gopls"} 1`,
		`navseam_documents_open{kind="native",provider="gopls"} 5`,
		`navseam_failures_in_a_row{kind="module",provider="index"} 4`,
		`navseam_failures_in_a_row{kind="native",provider="gopls"} 1`,
		`navseam_memory_bytes{kind="module",provider="index"} 1.048576e+06`,
		`navseam_processes{provider="gopls",state="ready"} 2`,
		`navseam_processes{provider="gopls",state="starting"} 1`,
		`navseam_queries_waiting{kind="module",provider="index"} 6`,
		`navseam_queries_waiting{kind="native",provider="gopls"} 3`,
		`navseam_starts{kind="module",provider="index"} 2`,
		`navseam_starts{kind="native",provider="gopls"} 8`,
		`navseam_up{kind="module",provider="index"} 1`,
		`navseam_up{kind="native",provider="gopls"} 1`,
		`navseam_workspaces{kind="module",provider="index"} 1`,
		`navseam_workspaces{kind="native",provider="gopls"} 2`,
	}, got)
	require.NotContains(t, recorder.Body.String(), "secret")
	require.Contains(t, recorder.Body.String(), "go_goroutines")
}
