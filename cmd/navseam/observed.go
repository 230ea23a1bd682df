package main

import (
	"fmt"
	"strings"

	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/tool"
)

// observedReport is what a server is doing in a workspace, or in a project of it, right after it
// was asked.
type observedReport struct {
	Root          string          `json:"root"`
	Project       string          `json:"project"`
	Watch         string          `json:"watch,omitempty"` // events, sweep, or sweep and why
	Queue         int             `json:"queue"`
	Starts        int             `json:"starts"` // of processes; all but the first of each instance are restarts
	Failures      int             `json:"failuresInARow"`
	CircuitOpenMs int64           `json:"circuitOpenMs"`
	LastError     string          `json:"lastError,omitempty"`
	Processes     []processReport `json:"processes"`
}

// processReport is one process of it.
type processReport struct {
	State         string `json:"state"`
	Busy          bool   `json:"busy"`
	PID           int    `json:"pid"`
	StartMs       int64  `json:"startMs"`
	Progress      string `json:"progress,omitempty"` // the server's own words
	Documents     int    `json:"documentsOpen"`
	Told          int64  `json:"changedFilesTold"`
	ToTouch       int64  `json:"changedFilesToTouch"`
	ReadyIsMissed bool   `json:"readySignalMissed"`
}

func observedReportsOf(status stdio.Status) []observedReport {
	var reports []observedReport
	for _, w := range status.Workspaces {
		r := observedReport{
			Root: w.Root, Project: w.Project, Watch: w.Watch, Queue: w.Queue, Starts: w.Starts, Failures: w.Failures,
			CircuitOpenMs: w.CircuitOpen.Milliseconds(), LastError: w.LastError, Processes: []processReport{},
		}
		for _, p := range w.Processes {
			r.Processes = append(r.Processes, processReport{
				State: p.State, Busy: p.Busy, PID: p.PID, StartMs: p.StartTook.Milliseconds(), Progress: p.Progress,
				Documents: p.Documents, Told: p.Told, ToTouch: p.ToTouch, ReadyIsMissed: p.Late,
			})
		}
		reports = append(reports, r)
	}
	return reports
}

// text is a line for each process.
func (r observedReport) text() string {
	var lines []string
	for _, p := range r.Processes {
		line := fmt.Sprintf("%s, %s open, told of %s", p.State, counted(p.Documents, "document"), counted(int(p.Told), "changed file"))
		if r.Watch != "" {
			line += ", which it learns by " + r.Watch
		}
		if r.Starts > 1 {
			line += fmt.Sprintf(", %d starts", r.Starts)
		}
		if p.Progress != "" {
			line += "; it says: " + p.Progress
		}
		lines = append(lines, reportLine("process", tool.Escape(line)))
	}
	if r.LastError != "" {
		lines = append(lines, reportLine("error", tool.Escape(r.LastError)))
	}
	return strings.Join(lines, "\n")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
