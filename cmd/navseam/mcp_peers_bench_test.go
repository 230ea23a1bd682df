package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// peer is a way to ask gopls as an agent does.
type peer struct {
	program string
	args    []string
	env     []string
}

// peerQuestion is a question to a peer.
type peerQuestion struct {
	peer      string
	tool      string
	arguments map[string]any
}

// BenchmarkMCPPeers asks hot questions about one function of this repository in ways that
// all end in gopls: navseam, as it is and without the lines of source that the others do
// not show; gopls mcp, which has no definitions; and cclsp.
func BenchmarkMCPPeers(b *testing.B) {
	root, err := filepath.Abs("../..")
	require.NoError(b, err)
	find := exec.Command("go", "tool", "-modfile=tools.mod", "-n", "gopls")
	find.Dir = root
	found, err := find.Output()
	require.NoError(b, err)
	gopls := strings.TrimSpace(string(found))
	file := filepath.Join(root, "seam", "errors.go")
	text, err := os.ReadFile(file)
	require.NoError(b, err)
	before, _, ok := bytes.Cut(text, []byte("func Errorf("))
	require.True(b, ok)
	line := bytes.Count(before, []byte("\n")) + 1

	dir := b.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	quoted := strconv.Quote(gopls)
	servers := `servers: {gopls: {command: ` + quoted + `, args: [serve], extensionToLanguage: {.go: go}}}` + "\n"
	config := write("config.yaml", servers)
	places := write("places.yaml", servers+"tool: {snippets: false}\n")
	other := write("cclsp.json", `{"servers": [{"extensions": ["go"], "command": [`+quoted+`, "serve"], "rootDir": `+strconv.Quote(root)+`}]}`)
	cclsp := filepath.Join(root, "testdata", "mcp", "node_modules", ".bin", "cclsp")

	ask := func(operation string) map[string]any {
		return map[string]any{"operation": operation, "file_path": "seam/errors.go", "line": line, "symbol": "Errorf"}
	}
	named := map[string]any{"file_path": file, "symbol_name": "Errorf"}
	peers := map[string]peer{
		"navseam":        {program: "navseam", args: []string{"mcp", "-w", root, "-c", config}},
		"navseam-places": {program: "navseam", args: []string{"mcp", "-w", root, "-c", places}},
		"gopls-mcp":      {program: gopls, args: []string{"mcp"}},
		"cclsp":          {program: cclsp, env: []string{"CCLSP_CONFIG_PATH=" + other}},
	}
	for _, question := range []struct {
		name string
		asks []peerQuestion
	}{
		{"references", []peerQuestion{
			{"navseam", "lsp", ask("findReferences")},
			{"navseam-places", "lsp", ask("findReferences")},
			{"gopls-mcp", "go_symbol_references", map[string]any{"file": file, "symbol": "Errorf"}},
			{"cclsp", "find_references", named},
		}},
		{"definition", []peerQuestion{
			{"navseam", "lsp", ask("goToDefinition")},
			{"navseam-places", "lsp", ask("goToDefinition")},
			{"cclsp", "find_definition", named},
		}},
	} {
		var m medians
		for _, a := range question.asks {
			b.Run(question.name+"/"+a.peer, func(b *testing.B) {
				p := peers[a.peer]
				if _, err := exec.LookPath(p.program); err != nil {
					b.Skip(a.peer + " is not installed: run make mcp-clients")
				}
				cmd := exec.Command(p.program, p.args...)
				cmd.Dir = root
				cmd.Env = append(os.Environ(), p.env...)
				c := startCalled(b, cmd, a.tool, a.arguments)
				for range 5 { // a first answer may be one of a cold server
					require.Contains(b, c.ask(b), "errors.go")
				}
				m.of(b, a.peer, func() { c.ask(b) })
				b.ReportMetric(residentMB(cmd.Process.Pid), "resident-MB")
			})
		}
	}
}
