// Package navseam_test holds what is checked of the repository as a whole.
package navseam_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is cut off the import paths of the project's own packages: these read ./seam.
const module = "github.com/navseam/navseam"

// rule says what packages may not import. Patterns are those of the go command: ./tool is one
// package, ./tool/... it and all below it, and std is the standard library.
type rule struct {
	says   string
	from   []string
	except []string // of from
	never  []string // not even through others
	only   []string // all that may be imported directly, if set
	direct bool     // never concerns direct imports alone
}

func importRules() []rule {
	const (
		testify  = "github.com/stretchr/testify/..."
		wazero   = "github.com/tetratelabs/wazero/..."
		wasmtime = "github.com/bytecodealliance/wasmtime-go/..."
		mcpSDK   = "github.com/modelcontextprotocol/go-sdk/..."
	)
	return []rule{
		{
			says: "seam is the vocabulary and imports the standard library alone",
			from: []string{"./seam"},
			only: []string{"std"},
		},
		{
			says: "the fake server stands alone, so that no mistake is shared with what it tests",
			from: []string{"./internal/fakeserver/..."},
			only: []string{"std", "./internal/fakeserver"},
		},
		{
			says:  "the tool knows who answers by the seam alone: no provider, no language server",
			from:  []string{"./tool/...", "./seam/..."},
			never: []string{"./providers/...", "./internal/langserver/...", "./internal/rpc/..."},
		},
		{
			says: "what git ignores is read from files, without git",
			from: []string{"./internal/ignore"},
			only: []string{"std", "./internal/workspace"},
		},
		{
			says:   "host, tool and cmd are the top: nothing below imports them",
			from:   []string{"./..."},
			except: []string{"./host/...", "./tool/...", "./cmd/...", "./examples/..."},
			never:  []string{"./host/...", "./tool/...", "./cmd/..."},
		},
		{
			says:  "the host does not know who asks",
			from:  []string{"./host/..."},
			never: []string{"./tool/...", "./cmd/..."},
		},
		{
			says:  "the tool does not know the host",
			from:  []string{"./tool/..."},
			never: []string{"./host/...", "./cmd/..."},
		},
		{
			says: "the MCP face adds to the tool what agents need, and knows nothing else",
			from: []string{"./tool/mcp"},
			only: []string{"std", "./tool", "./seam", "./internal/workspace", mcpSDK},
		},
		{
			says:   "MCP is spoken in one place",
			from:   []string{"./..."},
			except: []string{"./tool/mcp"},
			never:  []string{mcpSDK},
			direct: true,
		},
		{
			says:   "engines run code in one place",
			from:   []string{"./..."},
			except: []string{"./internal/engine"},
			never:  []string{wazero, wasmtime},
			direct: true,
		},
		{
			says:  "what module authors import carries no engine and nothing of the host",
			from:  []string{"./abi/...", "./providers/wasm-sdk/..."},
			never: []string{wazero, wasmtime, "./internal/...", "./host/..."},
		},
		{
			says:  "the sandbox knows neither language servers nor the host",
			from:  []string{"./host/sandbox/...", "./internal/engine", "./internal/wasm", "./internal/egress"},
			never: []string{"./host", "./providers/...", "./internal/langserver/...", "./internal/rpc/...", "./internal/process/..."},
		},
		{
			says: "the trace sees what passes by, and knows nobody who passes it on",
			from: []string{"./internal/trace"},
			only: []string{"std", "./internal/jsonline"},
		},
		{
			says:   "testify is for tests and for the conformance table",
			from:   []string{"./..."},
			except: []string{"./seam/seamtest"},
			never:  []string{testify},
		},
	}
}

func TestImports(t *testing.T) {
	lookAtSources(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			imports := listImports(t, system)
			require.Contains(t, imports, "./seam")
			require.Contains(t, imports, "./providers/stdio")
			require.Empty(t, violations(imports, importRules()))
		})
	}
}

// The checker itself finds what it is there for.
func TestImportRules(t *testing.T) {
	tests := map[string]struct {
		imports map[string][]string
		want    []string
	}{
		"clean": {imports: map[string][]string{
			"./seam":            {"context", "encoding/json"},
			"./seam/seamtest":   {"./seam", "github.com/stretchr/testify/require"},
			"./internal/rpc":    {"encoding/json"},
			"./providers/stdio": {"./seam", "./internal/rpc"},
			"./host":            {"./providers/stdio", "github.com/goccy/go-yaml"},
			"./hosts":           {"./seam"}, // no part of ./host
			"./tool":            {"./seam", "./hosts"},
			"./tool/mcp":        {"./tool", "github.com/modelcontextprotocol/go-sdk/jsonrpc"},
			"./cmd/navseam":     {"./host", "./tool", "./cmd/navseam/flags"},
			"./examples/x":      {"./host"},
			"github.com/x/y":    {"github.com/stretchr/testify/require"},
		}},
		"seam imports a module": {
			imports: map[string][]string{"./seam": {"golang.org/x/text/width"}},
			want:    []string{"./seam -> golang.org/x/text/width: seam is the vocabulary and imports the standard library alone"},
		},
		"seam imports another package": {
			imports: map[string][]string{"./seam": {"./internal/workspace"}},
			want:    []string{"./seam -> ./internal/workspace: seam is the vocabulary and imports the standard library alone"},
		},
		"the fake server borrows": {
			imports: map[string][]string{"./internal/fakeserver": {"./seam"}},
			want:    []string{"./internal/fakeserver -> ./seam: the fake server stands alone, so that no mistake is shared with what it tests"},
		},
		"tool reaches a provider through another": {
			imports: map[string][]string{"./tool": {"./between"}, "./between": {"./providers/stdio"}},
			want:    []string{"./tool -> ./between -> ./providers/stdio: the tool knows who answers by the seam alone: no provider, no language server"},
		},
		"seamtest reaches the language server": {
			imports: map[string][]string{"./seam/seamtest": {"./internal/langserver"}},
			want:    []string{"./seam/seamtest -> ./internal/langserver: the tool knows who answers by the seam alone: no provider, no language server"},
		},
		"a provider imports the host": {
			imports: map[string][]string{"./providers/stdio": {"./host"}},
			want:    []string{"./providers/stdio -> ./host: host, tool and cmd are the top: nothing below imports them"},
		},
		"the host imports the tool": {
			imports: map[string][]string{"./host": {"./tool"}},
			want:    []string{"./host -> ./tool: the host does not know who asks"},
		},
		"the tool imports the host": {
			imports: map[string][]string{"./tool": {"./host"}},
			want:    []string{"./tool -> ./host: the tool does not know the host"},
		},
		"a library imports a command": {
			imports: map[string][]string{"./internal/process": {"./cmd/navseam/flags"}},
			want:    []string{"./internal/process -> ./cmd/navseam/flags: host, tool and cmd are the top: nothing below imports them"},
		},
		"another speaks MCP": {
			imports: map[string][]string{"./cmd/navseam": {"github.com/modelcontextprotocol/go-sdk/mcp"}},
			want:    []string{"./cmd/navseam -> github.com/modelcontextprotocol/go-sdk/mcp: MCP is spoken in one place"},
		},
		"the MCP face starts something": {
			imports: map[string][]string{"./tool/mcp": {"./internal/process"}},
			want:    []string{"./tool/mcp -> ./internal/process: the MCP face adds to the tool what agents need, and knows nothing else"},
		},
		"another runs code": {
			imports: map[string][]string{"./host/sandbox": {"github.com/tetratelabs/wazero"}},
			want:    []string{"./host/sandbox -> github.com/tetratelabs/wazero: engines run code in one place"},
		},
		"the kit of module authors reaches an engine": {
			imports: map[string][]string{
				"./providers/wasm-sdk": {"./between"},
				"./between":            {"./internal/engine"},
				"./internal/engine":    {"github.com/tetratelabs/wazero"},
			},
			want: []string{"./providers/wasm-sdk -> ./between -> ./internal/engine: what module authors import carries no engine and nothing of the host"},
		},
		"the sandbox imports the host": {
			imports: map[string][]string{"./host/sandbox": {"./host"}},
			want:    []string{"./host/sandbox -> ./host: the sandbox knows neither language servers nor the host"},
		},
		"the tool reaches the sandbox": {
			imports: map[string][]string{"./tool": {"./between"}, "./between": {"./host/sandbox"}},
			want: []string{
				"./between -> ./host/sandbox: host, tool and cmd are the top: nothing below imports them",
				"./tool -> ./between -> ./host/sandbox: the tool does not know the host",
			},
		},
		"testify in a command": {
			imports: map[string][]string{
				"./cmd/navseam":   {"./seam/seamtest"},
				"./seam/seamtest": {"github.com/stretchr/testify/require"},
			},
			want: []string{"./cmd/navseam -> ./seam/seamtest -> github.com/stretchr/testify/require: testify is for tests and for the conformance table"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, violations(test.imports, importRules()))
		})
	}
}

// lookAtSources makes the cache of go test forget an earlier run when a source has changed: it
// follows the files that a test looks at, not those that go list does.
func lookAtSources(t *testing.T) {
	t.Helper()
	require.NoError(t, walkSources(".", func(path string) error {
		_, err := os.Stat(path)
		return err
	}))
}

// walkSources visits the project's files of a folder, not those that were installed there.
func walkSources(root string, visit func(path string) error) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		return visit(path)
	})
}

// listImports gives what each package imports outside its tests, those of other modules too.
func listImports(t *testing.T, system string) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for i, word := range words {
			if rest, own := strings.CutPrefix(word, module+"/"); own {
				words[i] = "./" + rest
			}
		}
		imports[words[0]] = words[1:]
	}
	return imports
}

// violations gives a line for each rule and package: the chain of imports, and the rule.
func violations(imports map[string][]string, rules []rule) []string {
	var found []string
	for _, r := range rules {
		for pkg := range imports {
			if !matchesAny(r.from, pkg) || matchesAny(r.except, pkg) {
				continue
			}
			if chain := r.offence(imports, pkg); chain != nil {
				found = append(found, strings.Join(chain, " -> ")+": "+r.says)
			}
		}
	}
	slices.Sort(found)
	return found
}

// offence is the shortest chain of imports that breaks the rule, or nil.
func (r rule) offence(imports map[string][]string, pkg string) []string {
	seen := map[string]bool{pkg: true}
	for chains := [][]string{{pkg}}; len(chains) > 0; chains = chains[1:] {
		chain := chains[0]
		for _, next := range imports[chain[len(chain)-1]] {
			longer := append(slices.Clone(chain), next)
			if matchesAny(r.never, next) || r.only != nil && !matchesAny(r.only, next) {
				return longer
			}
			if !seen[next] && r.only == nil && !r.direct {
				seen[next] = true
				chains = append(chains, longer)
			}
		}
	}
	return nil
}

func matchesAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if pattern == "std" {
			first, _, _ := strings.Cut(pkg, "/")
			return !strings.Contains(first, ".")
		}
		if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
			return pkg == tree || strings.HasPrefix(pkg, tree+"/")
		}
		return pkg == pattern
	})
}
