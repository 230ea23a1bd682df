package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// echo is the least that is a tool of the bare library.
func echo() {
	server := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "lsp", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(request.Params.Arguments)}}}, nil
	})
	if err := server.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// called is a tool of a server that was started for a benchmark.
type called struct {
	session   *sdk.ClientSession
	name      string
	arguments map[string]any
}

func startCalled(b *testing.B, cmd *exec.Cmd, name string, arguments map[string]any) called {
	b.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).
		Connect(b.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(b, err)
	b.Cleanup(func() { _ = session.Close() }) // some of the others end with a failure
	return called{session, name, arguments}
}

func (c called) ask(b *testing.B) string {
	result, err := c.session.CallTool(b.Context(), &sdk.CallToolParams{Name: c.name, Arguments: c.arguments})
	if err != nil || result.IsError || len(result.Content) == 0 {
		b.Errorf("%v: %+v", err, result)
		return ""
	}
	return result.Content[0].(*sdk.TextContent).Text
}

// medianOf reports the median of single runs.
func medianOf(b *testing.B, run func()) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		run()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "median-µs")
}

// BenchmarkMCPStdio is one call, and 200 at once, of processes: navseam before a language
// server that answers at once, and an echo of the bare library.
func BenchmarkMCPStdio(b *testing.B) {
	dir := b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(dir, "a.fake"), []byte("text\n"), 0o600))
	config := filepath.Join(dir, "config.yaml")
	require.NoError(b, os.WriteFile(config, []byte(`servers: {fake: {command: fakeserver, args: [fakeserver, "{}"], extensionToLanguage: {.fake: fake}}}`), 0o600))
	hover := map[string]any{"operation": "hover", "file_path": "a.fake", "line": 1, "character": 1}
	for name, cmd := range map[string]func() *exec.Cmd{
		"echo":    func() *exec.Cmd { return exec.Command("echo-tool") },
		"navseam": func() *exec.Cmd { return exec.Command("navseam", "mcp", "-w", dir, "-c", config) },
	} {
		c := startCalled(b, cmd(), "lsp", hover)
		c.ask(b)
		b.Run("one/"+name, func(b *testing.B) {
			b.ReportAllocs()
			medianOf(b, func() { c.ask(b) })
		})
		b.Run("200/"+name, func(b *testing.B) {
			medianOf(b, func() {
				var calls sync.WaitGroup
				for range 200 {
					calls.Go(func() { c.ask(b) })
				}
				calls.Wait()
			})
		})
	}
}

// BenchmarkMCPStart is from the start of the process to the reply of initialize, with a
// module to compile, and the memory that is resident when nothing was asked.
func BenchmarkMCPStart(b *testing.B) {
	examples, err := filepath.Abs("../../examples")
	require.NoError(b, err)
	for name, text := range map[string]string{
		"module":  `modules: {graphql: {path: ` + strconv.Quote(filepath.Join(examples, "wasm-provider-c", "provider.wasm")) + `, extensionToLanguage: {.graphql: graphql}}}`,
		"servers": `servers: {fake: {command: fakeserver, args: [fakeserver, "{}"], extensionToLanguage: {.fake: fake}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			config := filepath.Join(b.TempDir(), "config.yaml")
			require.NoError(b, os.WriteFile(config, []byte(text), 0o600))
			var resident float64
			medianOf(b, func() {
				cmd := exec.Command("navseam", "mcp", "-c", config)
				cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.TempDir()) // nothing is compiled before
				session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).
					Connect(b.Context(), &sdk.CommandTransport{Command: cmd}, nil)
				require.NoError(b, err)
				b.StopTimer()
				resident = max(resident, residentMB(cmd.Process.Pid))
				require.NoError(b, session.Close())
				b.StartTimer()
			})
			b.ReportMetric(resident, "resident-MB")
		})
	}
}

// residentMB is 0 where the system does not tell.
func residentMB(pid int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kB, _ := strconv.Atoi(fields[0])
	return float64(kB) / 1000
}

// BenchmarkMCPPeers asks for the references of one function of this repository, hot, in three
// ways that all end in gopls: navseam, gopls mcp, and cclsp (make mcp-clients).
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
	before, _, found2 := bytes.Cut(text, []byte("func Errorf("))
	require.True(b, found2)
	line := bytes.Count(before, []byte("\n")) + 1

	dir := b.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	quoted := strconv.Quote(gopls)
	config := write("config.yaml", `servers: {gopls: {command: `+quoted+`, args: [serve], extensionToLanguage: {.go: go}}}`)
	other := write("cclsp.json", `{"servers": [{"extensions": ["go"], "command": [`+quoted+`, "serve"], "rootDir": `+strconv.Quote(root)+`}]}`)
	cclsp := filepath.Join(root, "testdata", "mcp", "node_modules", ".bin", "cclsp")

	peers := []struct {
		name      string
		program   string
		args      []string
		env       string
		tool      string
		arguments map[string]any
	}{
		{"navseam", "navseam", []string{"mcp", "-w", root, "-c", config}, "", "lsp", map[string]any{"operation": "findReferences", "file_path": "seam/errors.go", "line": line, "symbol": "Errorf"}},
		{"gopls-mcp", gopls, []string{"mcp"}, "", "go_symbol_references", map[string]any{"file": file, "symbol": "Errorf"}},
		{"cclsp", cclsp, nil, "CCLSP_CONFIG_PATH=" + other, "find_references", map[string]any{"file_path": file, "symbol_name": "Errorf"}},
	}
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) {
			if _, err := exec.LookPath(p.program); err != nil {
				b.Skip("not installed: run make mcp-clients")
			}
			cmd := exec.Command(p.program, p.args...)
			cmd.Dir = root
			if p.env != "" {
				cmd.Env = append(os.Environ(), p.env)
			}
			c := startCalled(b, cmd, p.tool, p.arguments)
			for range 5 { // a first answer may be one of a cold server
				require.Contains(b, c.ask(b), "errors.go")
			}
			medianOf(b, func() { c.ask(b) })
		})
	}
}
