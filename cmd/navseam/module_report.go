package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// text is the report of a module for people who decide whether to let it in.
func (i inspection) text() string {
	var t sheet
	t.add("file", i.File)
	t.add("kind", i.Kind)
	t.add("size", fmt.Sprintf("%d bytes", i.Size))
	t.add("sha256", i.SHA256)
	if i.ABI > 0 {
		t.add("abi", fmt.Sprintf("version %d", i.ABI))
	}
	if readable := len(i.Imports)+len(i.Operations)+len(i.Budgets) > 0; readable {
		t.add("operations", operationsText(i.Operations))
		t.add("permissions", permissionsText(i.Permissions))
		t.add("runs first", i.startText())
		t.add("memory", memoryText(i.MinMemory, i.MaxMemory))
	}
	t.list("imports", importLines(i.Imports))
	t.list("budgets", budgetLines(i.Budgets))
	if i.OK {
		t.add("verdict", "acceptable: it can be loaded")
	} else {
		t.add("verdict", "refused")
		t.list("problems", i.Problems)
	}
	return t.String()
}

// sheet is text with a column of names. Each entry stays on its line, whatever a module put
// into it.
type sheet struct{ lines []string }

func (s *sheet) add(name, text string) {
	text = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
	s.lines = append(s.lines, fmt.Sprintf("%-18s %s", name, tool.Escape(text)))
}

// list gives each entry a line, with the name at the first.
func (s *sheet) list(name string, entries []string) {
	for _, entry := range entries {
		s.add(name, entry)
		name = ""
	}
}

func (s *sheet) String() string { return strings.Join(s.lines, "\n") }

func operationsText(exported []string) string {
	var missing []string
	for _, op := range seam.Operations() {
		if !slices.Contains(exported, op.String()) {
			missing = append(missing, op.String())
		}
	}
	text := strings.Join(exported, ", ")
	switch {
	case len(exported) == 0:
		return "none"
	case len(missing) > 0:
		text += " (not " + strings.Join(missing, ", ") + ")"
	}
	return text
}

func permissionsText(asked []string) string {
	if len(asked) == 0 {
		return "none: it sees the document that it is asked about"
	}
	return strings.Join(asked, ", ") + ": only with a grant"
}

func (i inspection) startText() string {
	var run []string
	if i.Initialize {
		run = append(run, "_initialize")
	}
	if i.Load {
		run = append(run, "load")
	}
	if len(run) == 0 {
		return "nothing"
	}
	return strings.Join(run, ", then ")
}

func memoryText(least, most uint64) string {
	if most == 0 {
		return fmt.Sprintf("%d bytes at first, and as much as it is given", least)
	}
	return fmt.Sprintf("%d bytes at first, %d at most", least, most)
}

func importLines(imports []sandbox.ImportReport) []string {
	var lines []string
	for _, i := range imports {
		line := i.Module + "." + i.Name + " " + i.Signature
		if i.Grant != "" {
			line += "   grant " + i.Grant
		}
		lines = append(lines, line)
	}
	return lines
}

func budgetLines(budgets []sandbox.Budget) []string {
	var lines []string
	for _, b := range budgets {
		line := fmt.Sprintf("%s: %d of %d", b.What, b.Used, b.Limit)
		if b.Used > b.Limit {
			line += "   too many"
		}
		lines = append(lines, line)
	}
	return lines
}
