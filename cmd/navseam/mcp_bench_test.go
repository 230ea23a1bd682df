package main

import (
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

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// called is a tool of a server that was started for a benchmark.
type called struct {
	process   *os.Process
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
	return called{cmd.Process, session, name, arguments}
}

func (c called) ask(b *testing.B) string {
	result, err := c.session.CallTool(b.Context(), &sdk.CallToolParams{Name: c.name, Arguments: c.arguments})
	if err != nil || result.IsError || len(result.Content) == 0 {
		b.Errorf("%v: %+v", err, result)
		return ""
	}
	return result.Content[0].(*sdk.TextContent).Text
}

// medians compares the medians of single runs with that of the first benchmark beside it.
// A mean is at the mercy of collectors.
type medians struct {
	first string
	base  time.Duration
}

func (m *medians) report(b *testing.B, name string, took []time.Duration) {
	slices.Sort(took)
	median := took[len(took)/2]
	b.ReportMetric(float64(median.Nanoseconds())/1000, "median-µs")
	if m.first == "" || m.first == name {
		m.first, m.base = name, median
		return
	}
	b.ReportMetric(float64((median-m.base).Nanoseconds())/1000, "µs-over-"+m.first)
	b.ReportMetric(float64(median)/float64(m.base), "times-"+m.first)
}

// of measures all of each run.
func (m *medians) of(b *testing.B, name string, run func()) {
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		run()
		took = append(took, time.Since(began))
	}
	m.report(b, name, took)
}

// fakeWorkspace has a short and a long file, and a configuration whose server answers at once, and
// 20,000 references where it is asked for these.
func fakeWorkspace(b *testing.B) (dir, config string, server []string) {
	b.Helper()
	dir = b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(dir, "short.fake"), []byte("text of a line\n"), 0o600))
	require.NoError(b, os.WriteFile(filepath.Join(dir, "long.fake"), []byte(strings.Repeat("text of a line\n", 20_000)), 0o600))
	script := `{"On": {"textDocument/references": [{"Locations": 20000}]}}`
	config = filepath.Join(dir, "config.yaml")
	require.NoError(b, os.WriteFile(config, []byte(`servers: {fake: {command: fakeserver, args: [fakeserver, '`+script+`'], extensionToLanguage: {.fake: fake}}}`), 0o600))
	return dir, config, []string{"fakeserver", "fakeserver", script}
}

// threeFaces are processes that are asked the same: an echo of the bare library, one that
// asks the same server over bare pipes, and navseam. What navseam has over the second is
// its own; the rest is the server's.
func threeFaces(b *testing.B, method, operation, file string) []called {
	dir, config, server := fakeWorkspace(b)
	question := map[string]any{"method": method, "params": map[string]any{
		"textDocument": map[string]any{"uri": workspace.FileURI(filepath.Join(dir, file))},
		"position":     seam.Position{},
		"context":      map[string]any{"includeDeclaration": true},
	}}
	return []called{
		startCalled(b, exec.Command("echo-tool"), "lsp", question),
		startCalled(b, exec.Command("echo-tool", server...), "lsp", question),
		startCalled(b, exec.Command("navseam", "mcp", "-w", dir, "-c", config), "lsp",
			map[string]any{"operation": operation, "file_path": file, "line": 1, "character": 1}),
	}
}

var faceNames = []string{"echo", "echo-server", "navseam"}

// BenchmarkMCPStdio is one call, and 200 at once.
func BenchmarkMCPStdio(b *testing.B) {
	faces := threeFaces(b, "textDocument/hover", "hover", "short.fake")
	for _, count := range []int{1, 200} {
		var m medians
		for i, name := range faceNames {
			b.Run(fmt.Sprintf("%d/%s", count, name), func(b *testing.B) {
				faces[i].ask(b)
				m.of(b, name, func() {
					var calls sync.WaitGroup
					for range count {
						calls.Go(func() { faces[i].ask(b) })
					}
					calls.Wait()
				})
				b.ReportMetric(residentMB(faces[i].process.Pid), "resident-MB")
			})
		}
	}
}

// BenchmarkMCPManyReferences is an answer that has far more places than are shown. The
// echo that asks the server reads its reply, and does nothing with it.
func BenchmarkMCPManyReferences(b *testing.B) {
	faces := threeFaces(b, "textDocument/references", "findReferences", "long.fake")
	var m medians
	for i, name := range faceNames[1:] {
		face := faces[i+1]
		b.Run(name, func(b *testing.B) {
			text := face.ask(b)
			if name == "navseam" {
				require.Contains(b, text, "20000")
				require.LessOrEqual(b, seam.UTF16Len(text), 16_000)
			}
			m.of(b, name, func() { face.ask(b) })
			b.ReportMetric(float64(seam.UTF16Len(text)), "chars")
		})
	}
}

// BenchmarkMCPStart is from the start of the process to the reply of initialize, and the
// memory that is resident then. The module is one of Go, which takes seconds to compile.
func BenchmarkMCPStart(b *testing.B) {
	dir := b.TempDir()
	module := filepath.Join(dir, "provider.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", module, "../../examples/wasm-provider")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	said, err := build.CombinedOutput()
	require.NoError(b, err, "%s", said)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	empty := write("empty.yaml", "{}\n")
	compiles := write("module.yaml", `modules: {graphql: {path: `+strconv.Quote(module)+`, extensionToLanguage: {.graphql: graphql}}}`)

	var m medians
	for _, face := range []struct {
		name string
		args []string
	}{
		{"echo", []string{"echo-tool"}},
		{"navseam", []string{"navseam", "mcp", "-c", empty}},
		{"navseam-module", []string{"navseam", "mcp", "-c", compiles}},
	} {
		b.Run(face.name, func(b *testing.B) {
			var took []time.Duration
			resident := 0.0
			for b.Loop() {
				b.StopTimer()
				cmd := exec.Command(face.args[0], face.args[1:]...)
				cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.TempDir()) // nothing is compiled before
				client := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil)
				b.StartTimer()
				began := time.Now()
				session, err := client.Connect(b.Context(), &sdk.CommandTransport{Command: cmd}, nil)
				took = append(took, time.Since(began))
				b.StopTimer()
				require.NoError(b, err)
				resident = max(resident, residentMB(cmd.Process.Pid))
				_ = cmd.Process.Kill() // it need not compile for nobody
				_ = session.Close()
				b.StartTimer()
			}
			m.report(b, face.name, took)
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
