package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/tool"
)

// moduleReport is what check finds of one module.
type moduleReport struct {
	entryReport
	Path       string            `json:"path"`
	SHA256     string            `json:"sha256,omitempty"` // unless the file cannot be read
	Pinned     bool              `json:"pinned"`
	Extensions map[string]string `json:"extensionToLanguage,omitempty"`
	FileNames  map[string]string `json:"fileNameToLanguage,omitempty"`
	Operations []string          `json:"operations,omitzero"`
	Asked      []string          `json:"asked,omitzero"` // the grants that its imports need
	Granted    []string          `json:"granted"`        // those of the configuration, in words
	Engine     string            `json:"engine"`
	Limits     map[string]any    `json:"limits"`
	Changed    map[string]any    `json:"changed,omitempty"` // other settings that are not the defaults
	CompileMs  *int64            `json:"compileMs,omitempty"`
	Cached     bool              `json:"cached"`           // it was compiled before
	LoadMs     *int64            `json:"loadMs,omitempty"` // only when it was started
}

func moduleReportOf(entry entryReport, provider host.ProviderStatus, module host.Module) moduleReport {
	r := moduleReport{
		entryReport: entry,
		Path:        module.Path,
		Pinned:      module.SHA256 != "",
		Extensions:  module.ExtensionToLanguage,
		FileNames:   module.FileNameToLanguage,
		Granted:     grantTexts(module.Grants),
		Engine:      module.Engine,
		Limits:      limitsOf(module),
		Changed:     changedSettings("", withoutShown(module), host.DefaultModule()),
	}
	if provider.Err != nil {
		r.inspect()
		return r
	}
	status := provider.Module
	r.SHA256, r.Operations, r.Asked = status.SHA256, listed(status.Operations), listed(status.Asked)
	r.Cached, r.CompileMs = status.Cached, inMs(status.CompileTook)
	if entry.StartMs != nil && len(status.Workspaces) == 1 { // it was started there
		r.LoadMs = inMs(status.Workspaces[0].LoadTook)
	}
	return r
}

// inspect looks at a module that is refused: what it asks for tells what to change. Of a
// file that is no module only the hash is known.
func (r *moduleReport) inspect() {
	data, err := readRegular(r.Path, maxModuleBytes)
	if err != nil {
		return // as the error of the entry says
	}
	seen := sandbox.Inspect(data)
	r.SHA256 = seen.SHA256
	if seen.ABI > 0 {
		r.Operations, r.Asked = listed(seen.Operations), listed(seen.Permissions)
	}
}

// listed is a list that JSON shows as one also when it is empty.
func listed(texts []string) []string { return append([]string{}, texts...) }

// limitsOf lists all limits. What has no limit stands there too, as 0.
func limitsOf(m host.Module) map[string]any {
	limits := changedSettings("", m.Limits, host.ModuleLimits{IdleTimeoutMs: -1})
	limits["maxDocumentBytes"] = m.MaxDocumentBytes
	return limits
}

// withoutShown leaves out of the settings what has a line of its own.
func withoutShown(m host.Module) host.Module {
	usual := host.DefaultModule()
	m.SHA256, m.Engine, m.Limits, m.MaxDocumentBytes, m.Grants = usual.SHA256, usual.Engine, usual.Limits, usual.MaxDocumentBytes, usual.Grants
	return m
}

// grantTexts says what a module may reach. Of headers it names only the names: their values
// are secret.
func grantTexts(g host.Grants) []string {
	texts := listed(nil)
	if g.Files.Workspace {
		texts = append(texts, "files: workspace")
	}
	for _, name := range slices.Sorted(maps.Keys(g.Files.Mounts)) {
		texts = append(texts, "files: "+name+" ("+g.Files.Mounts[name]+")")
	}
	for _, rule := range g.HTTP {
		texts = append(texts, "http: "+ruleText(rule))
	}
	if g.Cache.Bytes > 0 {
		texts = append(texts, fmt.Sprintf("cache: %d bytes", g.Cache.Bytes))
	}
	return texts
}

func ruleText(rule host.HTTPRule) string {
	methods := rule.Methods
	if len(methods) == 0 {
		methods = []string{"GET", "HEAD"}
	}
	text := strings.Join(methods, "/") + " " + rule.URL
	if rule.Private {
		text += ", also at private addresses"
	}
	if len(rule.Headers) > 0 {
		text += ", with " + strings.Join(slices.Sorted(maps.Keys(rule.Headers)), " and ")
	}
	return text
}

// text is a paragraph with a blank line before it.
func (r moduleReport) text() string {
	p := paragraph{"", tool.Escape(r.ID) + ": " + r.verdict()}
	p.add("module", r.Path)
	p.add("sha256", r.hash())
	p.add("files", routesText(r.Extensions, r.FileNames))
	p.add("answers", strings.Join(r.Operations, ", "))
	if r.Asked != nil {
		p.add("asks for", orNothing(r.Asked, ", "))
	}
	p.add("granted", orNothing(r.Granted, "; "))
	p.add("engine", r.Engine)
	p.add("limits", settingsText(r.Limits))
	p.add("changed", settingsText(r.Changed))
	return p.String()
}

func (r moduleReport) hash() string {
	if r.Pinned && r.OK {
		return r.SHA256 + " (pinned)"
	}
	return r.SHA256
}

func orNothing(texts []string, separator string) string {
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, separator)
}

func (r moduleReport) verdict() string {
	if r.Err != nil {
		return describe(r.Err)
	}
	text := "ok"
	switch {
	case r.CompileMs == nil:
	case r.Cached:
		text += fmt.Sprintf(", compiled before, read in %d ms", *r.CompileMs)
	default:
		text += fmt.Sprintf(", compiled in %d ms", *r.CompileMs)
	}
	if r.LoadMs != nil {
		text += fmt.Sprintf(", loaded in %d ms", *r.LoadMs)
	}
	return text
}
