package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// use is what a host holds.
type use struct {
	goroutines, handles int
	heap                uint64
}

func useNow(t *testing.T) use {
	runtime.GC()
	runtime.GC() // finalizers of the first free handles and memory
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return use{runtime.NumGoroutine(), len(entries), m.HeapAlloc}
}

// A host that has seen many workspaces and processes holds no more than one that has seen few.
// Some of the workspaces are made anew meanwhile, under the same name: they are new ones.
func TestFlat(t *testing.T) {
	const roots, processes = 50, 4
	queries := 400
	if os.Getenv("NAVSEAM_PROVE") != "" {
		queries = 10_000
	}
	hover := fakeserver.Action{Result: fakeserver.Raw(`{"contents":"$uri $text"}`)}
	program, args, err := fakeserver.Command(fakeserver.Script{On: map[string][]fakeserver.Action{"textDocument/hover": {hover}}})
	require.NoError(t, err)
	server := host.DefaultServer()
	server.Command, server.Args = program, args
	server.ExtensionToLanguage = map[string]string{".txt": "text"}
	server.Freshness.SettleMs = 0
	config := host.DefaultConfig()
	config.Servers["fake"] = server
	config.Limits.Processes = processes
	supervisor, err := os.Executable()
	require.NoError(t, err)
	before := useNow(t)
	h, err := host.Open(t.Context(), config, host.Options{Supervisor: []string{supervisor, "supervise"}})
	require.NoError(t, err)

	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root := func(i int) string { return filepath.Join(base, fmt.Sprint(i)) }
	write := func(i, generation int) {
		require.NoError(t, os.MkdirAll(root(i), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root(i), "a.txt"), fmt.Appendf(nil, "%d-%d", i, generation), 0o600))
	}
	generation := make([]int, roots)
	for i := range roots {
		write(i, 0)
	}
	var early use
	for q := range queries {
		i := (q*7 + q/3) % roots // some again at once, others after many
		if q%97 == 0 {
			require.NoError(t, os.RemoveAll(root(i)))
			generation[i]++
			write(i, generation[i])
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		result, err := h.Query(ctx, seam.Request{Operation: seam.OpHover, FilePath: "a.txt", WorkspaceRoot: root(i)})
		cancel()
		require.NoError(t, err, "query %d", q)
		want := fmt.Sprintf("%s %d-%d", workspace.FileURI(filepath.Join(root(i), "a.txt")), i, generation[i])
		require.Equal(t, want, result.(seam.HoverResult).Hover.Contents)
		if q == queries/5 {
			early = useNow(t)
		}
	}
	late := useNow(t)
	alive := 0
	for _, w := range h.Status().Providers[0].Server.Workspaces {
		alive += len(w.Processes)
	}
	require.LessOrEqual(t, alive, processes)
	t.Logf("%d queries: after a fifth %+v, at the end %+v", queries, early, late)
	require.LessOrEqual(t, late.goroutines, early.goroutines+8) // one server more or less has some
	require.LessOrEqual(t, late.handles, early.handles+8)
	require.LessOrEqual(t, late.heap, early.heap+early.heap/4+2<<20)

	require.NoError(t, h.Close(context.Background()))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		after := useNow(t)
		if after.goroutines <= before.goroutines && after.handles <= before.handles {
			return
		}
		require.True(t, time.Now().Before(deadline), "before %+v, after %+v", before, after)
	}
}
