package stdio

import (
	"context"
	"strings"

	"github.com/navseam/navseam/internal/changes"
	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// watchKey is what is watched, and how: providers that agree on it share one watch.
type watchKey struct {
	root   workspace.Key
	skip   string
	events bool
}

// watch is a workspace whose files are looked after. It lives as long as a space uses it.
type watch struct {
	key    watchKey
	users  int // spaces
	opened chan struct{}
	tree   *changes.Tree // set once opened is closed, unless err is
	err    error
}

// follow begins to follow the changes in the workspace of a space for one of its servers. The
// first one opens the watch, and the others wait for it.
func (p *Pool) follow(ctx context.Context, sp *space) (*changes.Cursor, error) {
	w := p.watchOf(sp)
	select {
	case <-w.opened:
	case <-ctx.Done():
		return nil, seam.ContextError(ctx)
	}
	if w.err != nil {
		p.unwatch(sp)
		return nil, w.err
	}
	cursor := w.tree.Follow()
	if _, err := cursor.Look(ctx); err != nil { // what happened before is no news to a server that starts
		cursor.Close()
		return nil, seam.AsError(err)
	}
	return cursor, nil
}

func (p *Pool) watchOf(sp *space) *watch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sp.watch != nil {
		return sp.watch
	}
	config := sp.key.provider.config
	key := watchKey{sp.key.root, strings.Join(config.Freshness.Skip, "\n"), config.Freshness.Events}
	w := p.watches[key]
	if w == nil {
		w = &watch{key: key, opened: make(chan struct{})}
		p.watches[key] = w
		root := sp.view.Root()
		p.watchers.Go(func() {
			defer close(w.opened)
			w.tree, w.err = changes.Watch(context.Background(), root, changes.Options{
				Skip: config.Freshness.Skip, Events: config.Freshness.Events, Log: config.Log,
			})
		})
	}
	w.users++
	sp.watch = w
	return w
}

// unwatch lets the next server of a space try again.
func (p *Pool) unwatch(sp *space) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropWatch(sp)
}

// dropWatch gives up the watch of a space. The last one closes it.
func (p *Pool) dropWatch(sp *space) {
	w := sp.watch
	if w == nil {
		return
	}
	sp.watch = nil
	if w.users--; w.users > 0 {
		return
	}
	delete(p.watches, w.key)
	p.watchers.Go(func() {
		<-w.opened
		if w.tree != nil {
			w.tree.Close()
		}
	})
}

// server gives the configuration of a process of the space.
func (sp *space) server(p *Pool) langserver.Config {
	config := sp.key.provider.server
	if sp.key.provider.config.Freshness.looks() {
		config.Freshness.Follow = func(ctx context.Context) (*changes.Cursor, error) { return p.follow(ctx, sp) }
	}
	return config
}

// describe says for Status how changes are seen.
func (w *watch) describe() string {
	if w == nil {
		return ""
	}
	select {
	case <-w.opened:
	default:
		return ""
	}
	switch {
	case w.tree == nil:
		return ""
	case w.tree.Status().Events:
		return "events"
	case w.tree.Status().Reason != "":
		return "sweep: " + w.tree.Status().Reason
	default:
		return "sweep"
	}
}
