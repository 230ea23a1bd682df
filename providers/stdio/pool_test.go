package stdio

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

func killNow(t *testing.T, pid int) {
	process, err := os.FindProcess(pid)
	require.NoError(t, err)
	_ = process.Kill()
}

// concurrent first queries share one process, and run one after another.
func TestOneProcess(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 20})}, nil)
	var callers sync.WaitGroup
	for range 10 {
		callers.Go(func() {
			_, err := h.hover(t.Context())
			if err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	require.Len(t, h.starts(), 1)
	require.Equal(t, 10, h.count("textDocument/hover"))
}

// spellings of a workspace share a process; workspaces do not.
func TestWorkspaces(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	link := t.TempDir() + "/link"
	require.NoError(t, os.Symlink(h.dir, link))
	other := t.TempDir()
	write(t, other, "a.go", "package other\n")
	for _, root := range []string{h.dir, link, h.dir + "/.", other} {
		target := h.target()
		target.WorkspaceRoot = root
		_, err := h.provider.Hover(t.Context(), target)
		require.NoError(t, err)
	}
	require.Len(t, h.starts(), 2)
	require.Len(t, h.provider.Status().Workspaces, 2)
}

// A folder that was deleted and made again is another workspace.
func TestRecreatedWorkspace(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	_, err := h.hover(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(h.dir))
	_, err = h.hover(t.Context())
	require.Equal(t, seam.CodeWorkspaceRequired, seam.CodeOf(err))
	require.NoError(t, os.Mkdir(h.dir, 0o700))
	write(t, h.dir, "a.go", "package again\n")
	_, err = h.hover(t.Context())
	require.NoError(t, err)
	require.Len(t, h.starts(), 2)
}

// instances: a workspace may have several processes, which work side by side.
func TestInstances(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) { c.Instances = 2 })
	ctx, cancel := context.WithCancel(t.Context())
	busy := make(chan error, 1)
	go func() {
		_, err := h.ask(ctx, seam.OpFindReferences)
		busy <- err
	}()
	h.wait("textDocument/references", 1)
	for range 3 {
		_, err := h.hover(t.Context())
		require.NoError(t, err)
	}
	cancel()
	require.Error(t, <-busy)
	require.Len(t, h.starts(), 2)
}

// The cap: the server that was not used for the longest time makes room, and is gone before
// the next is there; when all are busy, that is said.
func TestCap(t *testing.T) {
	pool := newPool(t, 2)
	var harnesses []*harness
	for range 3 {
		harnesses = append(harnesses, beginIn(t, pool, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: 600_000})}, nil))
	}
	for _, h := range harnesses {
		_, err := h.hover(t.Context())
		require.NoError(t, err)
	}
	require.False(t, fakeserver.Running(harnesses[0].starts()[0]))
	require.True(t, fakeserver.Running(harnesses[1].starts()[0]))

	ctx, cancel := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	for _, h := range harnesses[1:] {
		busy.Go(func() { _, _ = h.ask(ctx, seam.OpFindReferences) })
		h.wait("textDocument/references", 1)
	}
	_, err := harnesses[0].hover(t.Context())
	coded := seam.AsError(err)
	require.Equal(t, seam.CodeUnavailable, coded.Code)
	require.Equal(t, "limits.processes", coded.Limit)
	require.Positive(t, coded.RetryAfter)
	cancel()
	busy.Wait()
	eventually(t, "a seat is free", func() bool {
		_, err := harnesses[0].hover(t.Context())
		return err == nil
	})
}

func TestLimitShrinks(t *testing.T) {
	pool := newPool(t, 3)
	var harnesses []*harness
	for range 3 {
		h := beginIn(t, pool, fakeserver.Script{}, nil)
		_, err := h.hover(t.Context())
		require.NoError(t, err)
		harnesses = append(harnesses, h)
	}
	pool.SetLimit(1)
	for _, h := range harnesses[:2] {
		eventually(t, "it is gone", func() bool { return !fakeserver.Running(h.starts()[0]) })
	}
	require.True(t, fakeserver.Running(harnesses[2].starts()[0]))
}

// Idle documents are closed, idle servers ended, and idle workspaces forgotten.
func TestIdle(t *testing.T) {
	h := begin(t, fakeserver.Script{}, func(c *Config) {
		c.DocumentIdle = 50 * time.Millisecond
		c.IdleTimeout = 500 * time.Millisecond
	})
	_, err := h.hover(t.Context())
	require.NoError(t, err)
	h.wait("textDocument/didClose", 1)
	eventually(t, "the process is gone", func() bool { return !fakeserver.Running(h.starts()[0]) })
	eventually(t, "the workspace is forgotten", func() bool { return len(h.provider.Status().Workspaces) == 0 })
	h.wait("exit", 1)
	_, err = h.hover(t.Context())
	require.NoError(t, err)
}

// corrected: many workspaces under a small cap leave nothing behind.
func TestNothingGrows(t *testing.T) {
	pool := newPool(t, 2)
	h := beginIn(t, pool, fakeserver.Script{}, func(c *Config) { c.IdleTimeout = 100 * time.Millisecond })
	before := runtime.NumGoroutine()
	for i := range 12 {
		target := h.target()
		target.WorkspaceRoot = t.TempDir()
		write(t, target.WorkspaceRoot, "a.go", fmt.Sprintf("package p%d\n", i))
		_, err := h.provider.Hover(t.Context(), target)
		require.NoError(t, err)
	}
	eventually(t, "all is forgotten", func() bool {
		pool.mu.Lock()
		defer pool.mu.Unlock()
		return len(pool.spaces) == 0 && len(pool.residents) == 0 && pool.taken == 0
	})
	eventually(t, "goroutines are back", func() bool { return runtime.NumGoroutine() <= before })
}

// every wait also ends with the provider; closing fails what is under way and all that comes.
func TestClose(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 600_000})}, func(c *Config) { c.ShutdownTimeout = 200 * time.Millisecond })
	failed := make(chan error, 2)
	for range 2 { // one asks, one is in line
		go func() {
			_, err := h.hover(t.Context())
			failed <- err
		}()
	}
	h.wait("textDocument/hover", 1)
	eventually(t, "one is in line", func() bool { return h.workspaceStatus().Queue == 1 })
	require.NoError(t, h.provider.Close(t.Context()))
	for range 2 {
		require.Equal(t, seam.CodeDisposed, seam.CodeOf(<-failed))
	}
	_, err := h.hover(t.Context())
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
	require.False(t, fakeserver.Running(h.starts()[0]))
	require.NoError(t, h.provider.Close(t.Context()))
}

// A-180 corrected: a drained provider answers what it has begun, and nothing more.
func TestDrain(t *testing.T) {
	h := begin(t, fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{DelayMS: 500})}, nil)
	answered := make(chan error, 1)
	go func() {
		_, err := h.hover(t.Context())
		answered <- err
	}()
	h.wait("textDocument/hover", 1)
	drained := make(chan error, 1)
	go func() { drained <- h.provider.Drain(context.Background()) }()
	eventually(t, "new queries are refused", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := h.hover(ctx)
		return seam.CodeOf(err) == seam.CodeDisposed
	})
	require.NoError(t, <-answered)
	require.NoError(t, <-drained)
	require.False(t, fakeserver.Running(h.starts()[0]))
}

// Start warms a workspace up without a question.
func TestStart(t *testing.T) {
	h := begin(t, fakeserver.Script{}, nil)
	require.NoError(t, h.provider.Start(t.Context(), h.dir))
	require.Len(t, h.starts(), 1)
	_, err := h.hover(t.Context())
	require.NoError(t, err)
	require.Len(t, h.starts(), 1)
}

// Everything at once, under the race detector: every answer is right or has a code.
func TestHammer(t *testing.T) {
	pool := newPool(t, 3)
	h := beginIn(t, pool, fakeserver.Script{On: on("textDocument/references",
		fakeserver.Action{}, fakeserver.Action{DelayMS: 30}, fakeserver.Action{}, fakeserver.Action{Exit: fakeserver.Exit(1), NoReply: true})},
		func(c *Config) {
			c.Instances = 2
			c.IdleTimeout = 30 * time.Millisecond
			c.DocumentIdle = 10 * time.Millisecond
			c.ShutdownTimeout = 500 * time.Millisecond
			c.KillGrace = 200 * time.Millisecond
			c.Circuit = Circuit{Failures: 1000, Cooldown: time.Second}
		})
	var roots []string
	for range 4 {
		root := t.TempDir()
		write(t, root, "a.go", "package a\n")
		roots = append(roots, root)
	}
	var callers sync.WaitGroup
	for i := range 12 {
		callers.Go(func() {
			for j := range 12 {
				target := h.target()
				target.WorkspaceRoot = roots[(i+j)%len(roots)]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+(i*7+j*13)%200)*10*time.Millisecond)
				result, err := seam.Ask(ctx, h.provider, seam.Operations()[(i+j)%2], target)
				cancel()
				if err != nil && seam.CodeOf(err) == seam.CodeInternal {
					t.Errorf("no code: %v", err)
				}
				if found, ok := result.(seam.Locations); ok && len(found.Items) == 0 {
					t.Error("an empty answer")
				}
			}
		})
	}
	callers.Wait()
}
