package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// live is the tool over a configuration that may change while it runs. It opens beside
// whatever else happens. A configuration that cannot be used is what each call is told,
// until it is mended; one that was used before stays.
type live struct {
	console *console
	path    string // as given
	end     context.CancelFunc
	ended   chan struct{}
	tried   chan struct{} // closed after the first attempt

	mu    sync.Mutex
	host  *host.Host
	tool  *tool.Tool
	fault *seam.Error // why there is no tool
	asked bool        // since the last attempt
}

// configInterval is how often is looked whether the configuration changed.
const configInterval = time.Second

func (c *console) startLive(path string) *live {
	ctx, cancel := context.WithCancel(context.Background())
	l := &live{console: c, path: path, end: cancel, ended: make(chan struct{}), tried: make(chan struct{})}
	go l.run(ctx)
	return l
}

// close ends everything. Nobody calls the tool any more.
func (l *live) close(ctx context.Context) {
	l.end()
	<-l.ended
	if l.host != nil {
		l.console.closeHost(ctx, l.host)
		l.tool.Close()
	}
}

// current waits for the first attempt to open.
func (l *live) current(ctx context.Context) (*tool.Tool, error) {
	select {
	case <-l.tried:
	case <-ctx.Done():
		return nil, seam.ContextError(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tool == nil {
		l.asked = true
		return nil, l.fault
	}
	return l.tool, nil
}

// activity says what calls about these folders wait for. Others that share the servers are
// none of their business.
func (l *live) activity(folders []string) string {
	h := l.opened()
	if h == nil {
		return "reading the configuration and compiling modules…"
	}
	status := h.Status()
	for i := range status.Providers {
		server := &status.Providers[i].Server
		server.Workspaces = slices.DeleteFunc(server.Workspaces, func(w stdio.WorkspaceStatus) bool { return !liesIn(w.Root, folders) })
	}
	return waitingFor(status, 0)
}

func (l *live) opened() *host.Host {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host
}

// status is that of the host, once there is one.
func (l *live) status() host.Status {
	if h := l.opened(); h != nil {
		return h.Status()
	}
	return host.Status{}
}

// liesIn reports whether a workspace is one of the folders, or lies in one.
func liesIn(root string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		canonical, err := filepath.EvalSymlinks(folder)
		if err != nil {
			return false
		}
		relative, err := filepath.Rel(canonical, root)
		return err == nil && filepath.IsLocal(relative)
	})
}

func (l *live) run(ctx context.Context) {
	defer close(l.ended)
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	tick := time.NewTicker(configInterval)
	defer tick.Stop()
	seen := l.stamp()
	l.refresh(ctx)
	close(l.tried)
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
		case <-tick.C:
			if now := l.stamp(); now.same(seen) && !l.wanted() {
				continue
			}
		}
		seen = l.stamp()
		l.refresh(ctx)
	}
}

// wanted reports whether somebody called in vain: a program that was missing may be there
// now, which changes nothing in the file.
func (l *live) wanted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tool == nil && l.asked
}

// refresh opens the host, or gives it the configuration as it is now.
func (l *live) refresh(ctx context.Context) {
	err := l.load(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	fault := inOne(flatten(err))
	l.mu.Lock()
	running := l.tool != nil
	known := l.fault != nil && l.fault.Message == fault.Message
	l.fault, l.asked = fault, false
	l.mu.Unlock()
	if known {
		return
	}
	l.console.complain("navseam: " + describe(fault))
	if running {
		l.console.complain("navseam: the configuration from before stays in use")
	}
}

func (l *live) load(ctx context.Context) error {
	if info := l.stamp().info; info != nil && !info.Mode().IsRegular() { // such as a FIFO, which may hold us for ever
		return seam.Errorf(seam.CodeInvalidConfig, "the config file %q is no regular file: navseam mcp reads it again when it changes", info.Name())
	}
	config, _, err := l.console.loadConfig(l.path)
	if err != nil {
		return err
	}
	if l.host != nil { // only this goroutine sets it
		if err := l.host.Reload(ctx, config); err != nil {
			return err
		}
		l.tool.Configure(toolConfig(config))
		l.set(l.host, l.tool)
		return nil
	}
	h, err := l.console.openHost(ctx, config)
	if err != nil {
		return err
	}
	l.set(h, tool.New(h, toolConfig(config)))
	return nil
}

func (l *live) set(h *host.Host, t *tool.Tool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.host, l.tool, l.fault = h, t, nil
}

// stamp tells the versions of a file apart.
type stamp struct {
	info fs.FileInfo
	err  bool
}

func (l *live) stamp() stamp {
	path, err := l.console.configPath(l.path)
	if err != nil {
		return stamp{err: true}
	}
	info, err := os.Stat(path)
	if err != nil {
		return stamp{err: !errors.Is(err, fs.ErrNotExist)}
	}
	return stamp{info: info}
}

func (s stamp) same(other stamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == nil && other.info == nil && s.err == other.err
	}
	return s.info.ModTime().Equal(other.info.ModTime()) && s.info.Size() == other.info.Size() && os.SameFile(s.info, other.info)
}
