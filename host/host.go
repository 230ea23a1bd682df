package host

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
)

// Options are what an embedder adds to the configuration.
type Options struct {
	// Supervisor is the argument vector of a program that ends the language servers
	// when this process dies, even by SIGKILL: the navseam command with "supervise", by
	// absolute path. Without it, servers are ended by Close, and on Linux the death of
	// this process kills them, but not the helpers that they detached. It has no effect
	// outside Linux.
	Supervisor []string

	// CacheDir is where the code of modules is kept once it is compiled. Without it, that is
	// the folder navseam/modules in the user's folder for caches.
	CacheDir string

	// Log gets what happens; nil discards it.
	Log *slog.Logger

	// Trace gets what providers are asked and what they answer; nil: none is made. It belongs
	// to the embedder, who closes it after the host.
	Trace *Trace
}

// Host answers queries from the providers of a configuration. It is safe for concurrent
// use. Its owner calls Close.
type Host struct {
	options  Options
	registry *seam.Registry
	pool     *stdio.Pool
	folders  sandbox.Workspaces

	lifetime context.Context // ends when the host is closed
	end      context.CancelFunc
	draining sync.WaitGroup // providers that a reload replaced

	changing sync.Mutex // one reload or close at a time

	mu     sync.Mutex
	active deployment
}

// deployment is what is published at one moment.
type deployment struct {
	config    Config
	providers map[string]provider
	failed    map[string]error // entries that lenient left out
}

// Open makes a host of a configuration. Every entry is checked, every executable found and
// every module compiled before anything is published; no server is started, and nothing of
// a module runs. With one bad entry there is no host, unless the configuration is lenient:
// then Status shows what failed.
func Open(ctx context.Context, config Config, options Options) (*Host, error) {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.CacheDir == "" {
		options.CacheDir = usualCacheDir()
	}
	lifetime, end := context.WithCancel(context.Background())
	h := &Host{
		options:  options,
		registry: seam.NewRegistry(),
		pool:     stdio.NewPool(config.Limits.Processes),
		folders:  sandbox.FileWorkspaces(workspace.NewFiles(fileWorkers)),
		lifetime: lifetime,
		end:      end,
	}
	if err := h.Reload(ctx, config); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

// fileWorkers bounds the file work for modules that is under way. It is wide, because on a
// mount that hangs each one may be held.
const fileWorkers = 64

// usualCacheDir is empty where there is no folder for caches.
func usualCacheDir() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "navseam", "modules")
}

// Query asks the provider that serves the file. A bug in navseam is LSP_INTERNAL, and does
// not end the process.
func (h *Host) Query(ctx context.Context, request seam.Request) (result seam.Result, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			h.options.Log.Error("panic in a query", "panic", bug, "stack", string(debug.Stack()))
			result, err = nil, seam.Errorf(seam.CodeInternal, "a bug of navseam, please report it: %v", bug)
		}
	}()
	result, err = h.registry.Query(ctx, request)
	if seam.CodeOf(err) == seam.CodeUnavailable {
		err = h.whyUnavailable(err)
	}
	return result, err
}

// whyUnavailable tells what the registry cannot know: that the host is closed, and which
// entries a lenient configuration left out.
func (h *Host) whyUnavailable(err error) error {
	if h.lifetime.Err() != nil {
		return errClosed()
	}
	failed := h.current().failed
	if len(failed) == 0 {
		return err
	}
	told := *seam.AsError(err)
	told.Message += "; the configuration is lenient, and left out: " + joined(failed).Error()
	return &told
}

func errClosed() error { return seam.Errorf(seam.CodeDisposed, "the host is closed") }

// Owners says which files are whose: as routes, with the id of the server or module in the
// place of the language.
func (h *Host) Owners() seam.Routes {
	owners := seam.Routes{Extensions: map[string]string{}, FileNames: map[string]string{}}
	for id, provider := range h.current().providers {
		routes := provider.Routes()
		for extension := range routes.Extensions {
			owners.Extensions[extension] = id
		}
		for name := range routes.FileNames {
			owners.FileNames[name] = id
		}
	}
	return owners
}

// Start starts one provider, a server or a module, for a workspace, without a question,
// and returns when it may be asked.
func (h *Host) Start(ctx context.Context, id, workspaceRoot string) error {
	provider := h.current().providers[id]
	if h.lifetime.Err() != nil {
		return errClosed()
	}
	if provider == nil {
		return seam.Errorf(seam.CodeUnavailable, "there is no server or module %q in the configuration", id)
	}
	return provider.Start(ctx, workspaceRoot)
}

// Close ends everything: queries that are under way fail with LSP_DISPOSED, and every
// process and instance is ended. It returns when nothing is left, with an error that names what could
// not be ended, or when ctx ends; the end then goes on without it.
func (h *Host) Close(ctx context.Context) error {
	h.end()
	closed := make(chan error, 1)
	go func() { closed <- h.close(ctx) }()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-closed:
		return err
	default:
		return seam.ContextError(ctx)
	}
}

// close waits for as long as it takes, where a provider does not end it with ctx.
func (h *Host) close(ctx context.Context) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	ending := h.publish(deployment{})
	ids := slices.Sorted(maps.Keys(ending.providers))
	if _, err := h.registry.Replace(ids); err != nil {
		return err
	}
	failures := make([]error, len(ids))
	var closing sync.WaitGroup
	for i, id := range ids {
		closing.Go(func() { failures[i] = ending.providers[id].Close(ctx) })
	}
	closing.Wait()
	h.draining.Wait() // bounded: they were told that the host ends
	return errors.Join(append(failures, h.pool.Close(ctx))...)
}

// publish sets what is active and returns what was.
func (h *Host) publish(next deployment) deployment {
	h.mu.Lock()
	defer h.mu.Unlock()
	previous := h.active
	h.active = next
	return previous
}
