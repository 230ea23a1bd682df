package host

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/egress"
)

// pageBytes is what memory is counted in.
const pageBytes = 65536

// mostMemory is what the tag of memoryBytes allows, which is told by itself.
const mostMemory = 1 << 30

// workspaceMount is the name under which a module reads the workspace.
const workspaceMount = "workspace"

var mountName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// module checks what the tags cannot say.
func (v *validator) module(id string, m Module) {
	at := path{"modules", id}
	if strings.TrimSpace(id) == "" {
		v.addKey(problemf(at, "the id of a module must not be blank"))
	}
	if strings.TrimSpace(m.Path) != "" {
		v.absolute(at.to("path"), m.Path)
	}
	v.engine(at.to("engine"), m.Engine)
	if bytes := m.Limits.MemoryBytes; bytes > pageBytes && bytes < mostMemory && bytes%pageBytes != 0 {
		v.add(problemf(at.to("limits", "memoryBytes"), "must be whole pages of %d bytes, such as %d or %d, not %d",
			pageBytes, bytes/pageBytes*pageBytes, (bytes/pageBytes+1)*pageBytes, bytes))
	}
	v.routes(at, m.routes())
	v.grants(at.to("grants"), m.Grants)
}

// engine checks that this build has an engine that the tags know.
func (v *validator) engine(at path, name string) {
	known := name == EngineWazero || name == EngineInterpreter || name == EngineWasmtime
	here := sandbox.Engines()
	if known && !slices.Contains(here, name) {
		v.add(problemf(at, "this navseam was built without %s: build it with CGO_ENABLED=1 and -tags %s, or choose %s",
			name, name, strings.Join(here, " or ")))
	}
}

func (v *validator) grants(at path, g Grants) {
	for _, name := range slices.Sorted(maps.Keys(g.Files.Mounts)) {
		mount := at.to("files", "mounts", name)
		switch {
		case name == workspaceMount:
			v.addKey(problemf(mount, "this name is that of the workspace: choose another"))
		case !mountName.MatchString(name):
			v.addKey(problemf(mount, `the name of a mount has letters, digits, ".", "-" and "_", and does not begin with a "." or "-"`))
		}
		v.absolute(mount, g.Files.Mounts[name])
	}
	v.http(at.to("http"), g)
}

// http leaves the rules to the client that obeys them: each by itself, and then all together.
func (v *validator) http(at path, g Grants) {
	rules := g.rules()
	good := true
	for i, rule := range rules {
		blank := strings.TrimSpace(rule.URL) == "" // told already
		good = !blank && v.rules(at.at(i), rule) && good
	}
	if good {
		v.rules(at, rules...)
	}
}

// rules reports what is wrong with them, if anything, at the key of it where that is known.
func (v *validator) rules(at path, rules ...egress.Rule) (good bool) {
	client, err := egress.New(rules)
	if err == nil {
		client.Close()
		return true
	}
	text := err.Error()
	if own, first := strings.CutPrefix(text, "http rule 0: "); first && len(rules) == 1 {
		text = own
		if key, why, found := strings.Cut(own, ": "); found && plainKey.MatchString(key) {
			at, text = at.to(key), why
		}
	}
	v.add(problemf(at, "%s", text))
	return false
}
