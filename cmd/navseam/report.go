package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// checkReport is what check finds.
type checkReport struct {
	Config    string         `json:"config"`
	Workspace string         `json:"workspace,omitempty"` // where servers were started
	Changed   map[string]any `json:"changed,omitempty"`   // limits that are not the defaults
	Servers   []serverReport `json:"servers"`
}

// serverReport is what check finds of one server.
type serverReport struct {
	ID         string            `json:"id"`
	OK         bool              `json:"ok"`
	Err        *seam.Error       `json:"error,omitempty"`
	Executable string            `json:"executable,omitempty"` // what the command is resolved to
	Args       []string          `json:"args,omitempty"`
	Extensions map[string]string `json:"extensionToLanguage,omitempty"`
	FileNames  map[string]string `json:"fileNameToLanguage,omitempty"`
	Dropped    []string          `json:"droppedEnv,omitempty"` // variables that the server does not get
	Changed    map[string]any    `json:"changed,omitempty"`    // settings that are not the defaults
	StartMs    *int64            `json:"startMs,omitempty"`    // only when it was started
}

func reportOf(provider host.ProviderStatus, server host.Server) serverReport {
	return serverReport{
		ID:         provider.ID,
		OK:         provider.Err == nil,
		Err:        seam.AsError(provider.Err),
		Executable: provider.Server.Executable,
		Args:       server.Args,
		Extensions: server.ExtensionToLanguage,
		FileNames:  server.FileNameToLanguage,
		Dropped:    provider.Server.Dropped,
		Changed:    changedSettings("", server, host.DefaultServer()),
	}
}

// failed notes that the server did not start.
func (s *serverReport) failed(err error) {
	s.OK, s.Err = false, seam.AsError(err)
}

// started notes how long the server took to start.
func (s *serverReport) started(took time.Duration) {
	ms := took.Milliseconds()
	s.StartMs = &ms
}

func (r checkReport) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "config    %s", tool.Escape(r.Config))
	if r.Workspace != "" {
		fmt.Fprintf(&b, "\nworkspace %s", tool.Escape(r.Workspace))
	}
	if len(r.Changed) > 0 {
		fmt.Fprintf(&b, "\nchanged   %s", settingsText(r.Changed))
	}
	return b.String()
}

// text is a paragraph with a blank line before it.
func (s serverReport) text() string {
	lines := []string{"", tool.Escape(s.ID) + ": " + s.verdict()}
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, fmt.Sprintf("  %-7s  %s", name, tool.Escape(text)))
		}
	}
	if s.Executable != "" {
		add("command", strings.Join(append([]string{s.Executable}, s.Args...), " "))
	}
	add("files", routesText(s.Extensions, s.FileNames))
	add("dropped", strings.Join(s.Dropped, ", "))
	add("changed", settingsText(s.Changed))
	return strings.Join(lines, "\n")
}

func (s serverReport) verdict() string {
	switch {
	case s.Err != nil:
		return describe(s.Err)
	case s.StartMs != nil:
		return fmt.Sprintf("ok, started in %d ms", *s.StartMs)
	default:
		return "ok"
	}
}

// routesText lists the files of a server and the language of each.
func routesText(tables ...map[string]string) string {
	var routes []string
	for _, table := range tables {
		for _, key := range slices.Sorted(maps.Keys(table)) {
			routes = append(routes, key+" ("+table[key]+")")
		}
	}
	return strings.Join(routes, ", ")
}
