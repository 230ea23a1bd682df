package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// buildGo builds a module from a folder with Go code.
func buildGo(t testing.TB, folder string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "module.wasm")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", file, ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, string(output))
	return file
}

// goConfig is a configuration for a Go guest, whose runtime needs some megabytes.
func goConfig(module, engine, cache string) sandbox.Config {
	config := configOf(module, engine)
	config.Limits.MemoryBytes = 128 << 20
	config.CacheDir = cache
	return config
}

// BenchmarkGoGuest is what the modules that most people will write cost.
func BenchmarkGoGuest(b *testing.B) {
	many, example := buildGo(b, "testdata/goguest"), buildGo(b, "../../examples/wasm-provider")
	schema := textOf(b, "../../examples/wasm-provider/sample/schema.graphql")
	for _, name := range sandbox.Engines() {
		cache := b.TempDir()
		b.Run(name+"/ten thousand locations", func(b *testing.B) {
			query(b, goConfig(many, name, cache), seam.OpFindReferences, 10_000)
		})
		b.Run(name+"/hover of the example", func(b *testing.B) { hoverExample(b, goConfig(example, name, cache), schema) })
		b.Run(name+"/first query with a warm cache", func(b *testing.B) { firstQuery(b, goConfig(example, name, cache), schema) })
		b.Run(name+"/instances", func(b *testing.B) { hundredInstances(b, goConfig(example, name, cache)) })
	}
}

func hoverExample(b *testing.B, config sandbox.Config, schema string) {
	provider, err := sandbox.New(b.Context(), config, inMemory{"a.toy": schema})
	require.NoError(b, err)
	b.Cleanup(func() { closeProvider(b, provider) })
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		answer, err := provider.Hover(ctx, target("/memory", "a.toy", 22, 36))
		if err != nil || answer.Hover == nil {
			b.Fatal(answer, err)
		}
	}
}

// firstQuery opens a provider whose compiled code is on the disk, and asks it.
func firstQuery(b *testing.B, config sandbox.Config, schema string) {
	once := func() {
		provider, err := sandbox.New(b.Context(), config, inMemory{"a.toy": schema})
		require.NoError(b, err)
		_, err = provider.Hover(b.Context(), target("/memory", "a.toy", 22, 36))
		require.NoError(b, err)
		b.StopTimer()
		closeProvider(b, provider)
		b.StartTimer()
	}
	once()
	b.ResetTimer()
	for range b.N {
		once()
	}
}

// hundredInstances reports what an instance takes of the host's memory: its own, and what
// the engine and the sandbox keep beside it.
func hundredInstances(b *testing.B, config sandbox.Config) {
	const count = 100
	for range b.N {
		provider, err := sandbox.New(b.Context(), config, sandbox.FileWorkspaces(workspace.NewFiles(4)))
		require.NoError(b, err)
		require.NoError(b, provider.Start(b.Context(), b.TempDir()))
		before := resident(b)
		for range count {
			require.NoError(b, provider.Start(b.Context(), b.TempDir()))
		}
		b.ReportMetric(float64(resident(b)-before)/count, "bytes/instance")
		closeProvider(b, provider)
	}
}

// resident is what the process has of the machine's memory, after a collection.
func resident(b *testing.B) int64 {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip("there is no /proc here")
	}
	fields := strings.Fields(string(data))
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	require.NoError(b, err)
	return pages * int64(os.Getpagesize())
}

// BenchmarkDeadline reports how late a query is back that runs in circles under a deadline of
// 100 ms, at the median.
func BenchmarkDeadline(b *testing.B) {
	for _, name := range sandbox.Engines() {
		b.Run(name, func(b *testing.B) {
			provider, err := sandbox.New(b.Context(), configOf(slowModule, name), inMemory{"a.toy": "area\n"})
			require.NoError(b, err)
			defer closeProvider(b, provider)
			var late []time.Duration
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
				began := time.Now()
				_, err := provider.GoToDefinition(ctx, target("/memory", "a.toy", 0, 0))
				late = append(late, time.Since(began)-100*time.Millisecond)
				require.Equal(b, seam.CodeTimeout, seam.CodeOf(err))
				cancel()
			}
			slices.Sort(late)
			b.ReportMetric(float64(late[len(late)/2].Microseconds()), "µs-late")
		})
	}
}
