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
	Workspace string         `json:"workspace,omitempty"` // where entries were started
	Changed   map[string]any `json:"changed,omitempty"`   // settings at the top that are not the defaults
	Servers   []serverReport `json:"servers"`
	Modules   []moduleReport `json:"modules"`
}

// entryReport is what check finds of any entry of the configuration.
type entryReport struct {
	ID      string      `json:"id"`
	OK      bool        `json:"ok"`
	Err     *seam.Error `json:"error,omitempty"`
	StartMs *int64      `json:"startMs,omitempty"` // only when it was started

	Asked    *probe         `json:"asked,omitempty"`
	NotAsked string         `json:"notAsked,omitempty"` // why it was started only
	Answers  []answerReport `json:"answers,omitempty"`
	Faults   []advice       `json:"faults,omitempty"`
}

// serverReport is what check finds of one server.
type serverReport struct {
	entryReport
	Executable string            `json:"executable,omitempty"` // what the command is resolved to
	Args       []string          `json:"args,omitempty"`
	Extensions map[string]string `json:"extensionToLanguage,omitempty"`
	FileNames  map[string]string `json:"fileNameToLanguage,omitempty"`
	Markers    []string          `json:"rootMarkers,omitempty"`
	Dropped    []string          `json:"droppedEnv,omitempty"` // variables that the server does not get
	Changed    map[string]any    `json:"changed,omitempty"`    // settings that are not the defaults
	Observed   []observedReport  `json:"observed,omitempty"`   // what it was doing after it was asked
}

func serverReportOf(entry entryReport, provider host.ProviderStatus, server host.Server) serverReport {
	return serverReport{
		entryReport: entry,
		Executable:  provider.Server.Executable,
		Args:        server.Args,
		Extensions:  server.ExtensionToLanguage,
		FileNames:   server.FileNameToLanguage,
		Markers:     server.RootMarkers,
		Dropped:     provider.Server.Dropped,
		Changed:     changedSettings("", server, host.DefaultServer()),
	}
}

// add takes up what was found of an entry so far, and returns where it is kept, until the next
// is added, and as text.
func (r *checkReport) add(entry entryReport, status host.Status, config host.Config) (stored *entryReport, text string) {
	for _, provider := range status.Providers {
		switch {
		case provider.ID != entry.ID:
		case provider.Kind == host.KindModule:
			module := moduleReportOf(entry, provider, config.Modules[entry.ID])
			r.Modules = append(r.Modules, module)
			return &r.Modules[len(r.Modules)-1].entryReport, module.text()
		default:
			server := serverReportOf(entry, provider, config.Servers[entry.ID])
			r.Servers = append(r.Servers, server)
			return &r.Servers[len(r.Servers)-1].entryReport, server.text()
		}
	}
	return &entry, "" // not reached: nobody reloads meanwhile
}

// summary tells in one line what went wrong, and where.
func (r checkReport) summary() string {
	var all []entryReport
	for _, server := range r.Servers {
		all = append(all, server.entryReport)
	}
	for _, module := range r.Modules {
		all = append(all, module.entryReport)
	}
	var faults []string
	for _, e := range all {
		for _, f := range e.Faults {
			faults = append(faults, tool.Escape(e.ID)+": "+f.Fault)
		}
	}
	if len(faults) == 0 {
		return "\nno faults"
	}
	return fmt.Sprintf("\nfaults: %s", strings.Join(faults, ", "))
}

func inMs(took time.Duration) *int64 {
	ms := took.Milliseconds()
	return &ms
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
	p := paragraph{"", tool.Escape(s.ID) + ": " + s.verdict()}
	if s.Executable != "" {
		p.add("command", strings.Join(append([]string{s.Executable}, s.Args...), " "))
	}
	p.add("files", routesText(s.Extensions, s.FileNames))
	p.add("projects", markersText(s.Markers, s.StartMs != nil))
	p.add("dropped", strings.Join(s.Dropped, ", "))
	p.add("changed", settingsText(s.Changed))
	return p.String()
}

// markersText says which folders have servers of their own.
func markersText(markers []string, started bool) string {
	if len(markers) == 0 {
		return ""
	}
	text := "folders with " + strings.Join(markers, " or ") + " have servers of their own"
	if started {
		text += "; this one was started for the rest of the workspace"
	}
	return text
}

// paragraph is the lines about one entry.
type paragraph []string

func (p *paragraph) add(name, text string) {
	if text != "" {
		*p = append(*p, reportLine(name, text))
	}
}

func reportLine(name, text string) string { return fmt.Sprintf("  %-8s  %s", name, tool.Escape(text)) }

func (p paragraph) String() string { return strings.Join(p, "\n") }

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

// routesText lists the files of an entry and the language of each.
func routesText(tables ...map[string]string) string {
	var routes []string
	for _, table := range tables {
		for _, key := range slices.Sorted(maps.Keys(table)) {
			routes = append(routes, key+" ("+table[key]+")")
		}
	}
	return strings.Join(routes, ", ")
}
