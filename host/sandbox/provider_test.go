package sandbox_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

const (
	echoModule  = "testdata/modules/echo.wasm"
	indexModule = "testdata/modules/index.wasm"
	slowModule  = "testdata/modules/slow.wasm"
)

// eventually waits until something holds.
func eventually(t *testing.T, holds func() bool, what string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			require.Fail(t, "never: "+what)
		}
	}
}

// What load needs is not there yet: that is said at once while load is not tried again,
// and forgotten when it is there.
func TestLoadIsTriedAgain(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		config := configOf(indexModule, engine)
		config.Grants.Workspace = true
		provider, root := provide(t, config), toyRoot(t)
		at := target(root, "sample.toy", 0, 0)
		_, err := provider.Hover(t.Context(), at)
		require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err), "%v", err)
		require.Contains(t, err.Error(), "workspace/index", "what the module said")
		require.NotContains(t, err.Error(), root, "the host's paths are not the module's business")
		_, err = provider.Hover(t.Context(), at)
		require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err), "%v", err)
		require.Positive(t, seam.AsError(err).RetryAfter)
		require.True(t, seam.AsError(err).Retryable)

		require.NoError(t, os.WriteFile(filepath.Join(root, "index"), []byte("from the index"), 0o644))
		eventually(t, func() bool {
			answer, err := provider.Hover(t.Context(), at)
			return err == nil && answer.Hover.Contents == "from the index"
		}, "the index is loaded")
		require.Zero(t, provider.Status().Workspaces[0].Failures, "that was no fault of the module")
	})
}

func TestGrantsAreRefusedByName(t *testing.T) {
	_, err := sandbox.New(t.Context(), configOf(indexModule, sandbox.Engines()[0]), inMemory{})
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	for _, word := range []string{`the grant "files"`, "imports file_open, file_read", "grants.files.mounts"} {
		require.Contains(t, err.Error(), word)
	}
}

func TestPin(t *testing.T) {
	config := configOf(echoModule, sandbox.Engines()[0])
	config.SHA256 = strings.Repeat("0f", 32)
	_, err := sandbox.New(t.Context(), config, inMemory{})
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	data, err2 := sandbox.ReadModule(echoModule)
	require.NoError(t, err2)
	hash := sandbox.Inspect(data).SHA256
	require.Contains(t, err.Error(), hash)
	require.Contains(t, err.Error(), config.SHA256)
	config.SHA256 = strings.ToUpper(hash)
	provide(t, config)
}

// Whose deadline it was decides the code, and whether it counts.
func TestDeadlines(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		config := configOf(slowModule, engine)
		config.Limits.CallTimeout = 200 * time.Millisecond
		provider, root := provide(t, config), toyRoot(t)
		at := target(root, "sample.toy", 0, 0)
		failures := func() int { return provider.Status().Workspaces[0].Failures }

		_, err := provider.GoToDefinition(t.Context(), at)
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
		require.Equal(t, "modules.toy.limits.callTimeoutMs", seam.AsError(err).Limit)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, failures())

		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err = provider.GoToDefinition(ctx, at)
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
		require.Empty(t, seam.AsError(err).Limit, "it was the caller's")
		require.Equal(t, 1, failures())

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err = provider.GoToDefinition(ctx, at)
		require.Equal(t, seam.CodeCancelled, seam.CodeOf(err), "%v", err)
		require.Equal(t, 1, failures())

		// A sleep ends in time to say so: with the errno for "timed out".
		answer, err := provider.Hover(t.Context(), at)
		require.NoError(t, err)
		require.Equal(t, "73", answer.Hover.Contents)
	})
}

func TestCloseEndsWhatRuns(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		provider, root := provide(t, configOf(slowModule, engine)), toyRoot(t)
		failed := make(chan error, 1)
		go func() {
			_, err := provider.GoToDefinition(context.Background(), target(root, "sample.toy", 0, 0))
			failed <- err
		}()
		eventually(t, func() bool {
			all := provider.Status().Workspaces
			return len(all) == 1 && all[0].Busy == 1
		}, "the module runs")
		closeProvider(t, provider)
		require.Equal(t, seam.CodeDisposed, seam.CodeOf(<-failed))
		_, err := provider.GoToDefinition(t.Context(), target(root, "sample.toy", 0, 0))
		require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
		require.Equal(t, seam.CodeDisposed, seam.CodeOf(provider.Start(t.Context(), root)))
	})
}

func TestDrainLetsQueriesEnd(t *testing.T) {
	config := configOf(slowModule, sandbox.Engines()[0])
	config.Limits.CallTimeout = 500 * time.Millisecond
	provider, root := provide(t, config), toyRoot(t)
	answers := make(chan string, 1)
	go func() {
		answer, err := provider.Hover(context.Background(), target(root, "sample.toy", 0, 0))
		if err != nil {
			answers <- err.Error()
			return
		}
		answers <- answer.Hover.Contents
	}()
	eventually(t, func() bool {
		all := provider.Status().Workspaces
		return len(all) == 1 && all[0].Busy == 1
	}, "the module runs")
	require.NoError(t, provider.Drain(t.Context()))
	require.Equal(t, "73", <-answers)
}

// A module that keeps failing is left alone.
func TestCircuit(t *testing.T) {
	config := configOf(slowModule, sandbox.Engines()[0])
	config.Limits.CallTimeout = 20 * time.Millisecond
	config.Circuit = circuit.Limit{Failures: 2, Cooldown: time.Hour}
	provider, root := provide(t, config), toyRoot(t)
	at := target(root, "sample.toy", 0, 0)
	for range 2 {
		_, err := provider.GoToDefinition(t.Context(), at)
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
	}
	_, err := provider.GoToDefinition(t.Context(), at)
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err), "%v", err)
	require.Greater(t, seam.AsError(err).RetryAfter, 50*time.Minute)
	require.Contains(t, err.Error(), "callTimeoutMs", "the cause")
	other := toyRoot(t)
	_, err = provider.GoToDefinition(t.Context(), target(other, "sample.toy", 0, 0))
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "another workspace has a circuit of its own")
}

func TestManyCallersShareTheInstances(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		provider, root := provide(t, configOf(echoModule, engine)), toyRoot(t)
		var all sync.WaitGroup
		failed := make(chan error, 100)
		for caller := range 100 {
			all.Go(func() {
				for range 20 {
					found, err := provider.GoToDefinition(context.Background(), target(root, "sample.toy", caller%9, caller%3))
					switch {
					case err != nil:
						failed <- err
						return
					case len(found.Items) != 1 || found.Items[0].Range.Start != (seam.Position{Line: caller % 9, Character: caller % 3}):
						failed <- seam.Errorf(seam.CodeInternal, "another's answer: %v", found.Items)
						return
					}
				}
			})
		}
		all.Wait()
		close(failed)
		for err := range failed {
			require.NoError(t, err)
		}
		status := provider.Status().Workspaces[0]
		require.LessOrEqual(t, status.Starts, 2, "as many as the limit says")
		require.Zero(t, status.Busy)
		require.Zero(t, status.Queue)
	})
}

// A document whose text is not served ends the query, whatever the module made of it.
func TestSourcesThatAreRefused(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		config := configOf(specModule, engine)
		config.Limits.DocumentBytes = 100
		provider := provide(t, config)
		root := folderWith(t, map[string]string{
			"binary.toy": "def a\x00rea",
			"latin.toy":  "def \xe4rea",
			"large.toy":  strings.Repeat("x", 101),
			"marked.toy": "\xef\xbb\xbfdef area",
			"good.toy":   "def area",
		})
		ask := func(file string) (seam.Locations, error) {
			return provider.GoToDefinition(t.Context(), target(root, file, 0, 5))
		}
		for file, reason := range map[string]string{
			"binary.toy": seam.ReasonBinary, "latin.toy": seam.ReasonNotUTF8, "large.toy": seam.ReasonTooLarge,
		} {
			_, err := ask(file)
			require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err), "%s: %v", file, err)
			require.Equal(t, reason, seam.AsError(err).Reason, file)
		}
		for _, file := range []string{"good.toy", "marked.toy"} {
			found, err := ask(file)
			require.NoError(t, err)
			require.Equal(t, seam.Position{Line: 0, Character: 4}, found.Items[0].Range.Start, "the mark is not part of the text")
		}
		status := provider.Status().Workspaces[0]
		require.Equal(t, 1, status.Starts, "the instance was kept")
		require.Zero(t, status.Failures)
	})
}

// A module that does not read the text is not kept from answering about it.
func TestTextIsReadOnlyWhenItIsAskedFor(t *testing.T) {
	provider := provide(t, configOf(echoModule, sandbox.Engines()[0]))
	root := folderWith(t, map[string]string{"binary.toy": "\x00"})
	found, err := provider.GoToDefinition(t.Context(), target(root, "binary.toy", 700, 70))
	require.NoError(t, err)
	require.Len(t, found.Items, 1)
}

func TestIdleInstancesEnd(t *testing.T) {
	config := configOf(echoModule, sandbox.Engines()[0])
	config.Limits.IdleTimeout = time.Millisecond
	provider, root := provide(t, config), toyRoot(t)
	require.NoError(t, provider.Start(t.Context(), root))
	eventually(t, func() bool { return len(provider.Status().Workspaces) == 0 }, "nothing is left of the workspace")
	_, err := provider.GoToDefinition(t.Context(), target(root, "sample.toy", 0, 0))
	require.NoError(t, err)
}

func TestNothingIsLeft(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		root := toyRoot(t)
		once := func() {
			provider, err := sandbox.New(t.Context(), configOf(slowModule, engine), sandbox.FileWorkspaces(workspace.NewFiles(4)))
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			_, err = provider.GoToDefinition(ctx, target(root, "sample.toy", 0, 0))
			require.Error(t, err)
			closeProvider(t, provider)
		}
		once() // engines keep goroutines of their own from the first time on
		before := runtime.NumGoroutine()
		for range 5 {
			once()
		}
		eventually(t, func() bool { return runtime.NumGoroutine() <= before }, "the goroutines end")
	})
}

// A second instance that cannot be had does no harm to the one that works.
func TestAFailedInstanceHarmsNoOther(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		config := configOf("testdata/modules/onlyone.wasm", engine)
		config.Grants.CacheBytes = 1 << 10
		config.Circuit = circuit.Limit{Failures: 2, Cooldown: time.Hour}
		provider, root := provide(t, config), toyRoot(t)
		require.NoError(t, provider.Start(t.Context(), root))
		failed := make(chan error, 6)
		for range cap(failed) {
			go func() {
				answer, err := provider.Hover(context.Background(), target(root, "sample.toy", 0, 0))
				if err == nil && answer.Hover.Contents != "the one" {
					err = seam.Errorf(seam.CodeInternal, "got %q", answer.Hover.Contents)
				}
				failed <- err
			}()
		}
		for range cap(failed) {
			require.NoError(t, <-failed)
		}
		require.Equal(t, 1, provider.Status().Workspaces[0].Instances)
	})
}

func TestAModuleThatMayHaveRunOutOfMemory(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		for limit, names := range map[int64]bool{65536: true, 1 << 20: false} {
			config := hostileConfig("trap_unreachable", engine)
			config.Limits.MemoryBytes = limit
			_, err := provide(t, config).GoToDefinition(t.Context(), target(hostileRoot(t), "a.toy", 0, 0))
			require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
			require.Equal(t, names, strings.Contains(err.Error(),
				"65536 bytes of the 65536 of modules.toy.limits.memoryBytes: raise that if it ran out"), err.Error())
		}
	})
}
