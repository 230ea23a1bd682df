package tool

import (
	"container/list"
	"context"
	"sync"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// maxViews is how many workspaces are kept open. Those used longest ago are closed.
const maxViews = 8

// fileWorkers bounds the file work that is under way. It is wide, because on a mount that
// hangs each one may be held.
const fileWorkers = 32

// views are the workspaces that calls read in. Each is opened once, and closed when it is
// neither in use nor one of the last.
type views struct {
	files   *workspace.Files
	options workspace.ViewOptions

	mu     sync.Mutex
	recent *list.List // of *view, the most recent first
	byKey  map[workspace.Key]*list.Element
	closed bool
}

// view is one workspace. A snippet is taken from the workspace and the source roots alone.
// A source that somebody asks about may also be a file that an earlier answer led to.
type view struct {
	snippets *workspace.View
	sources  *workspace.View

	users   int  // held under the lock of the views
	dropped bool // to be closed by the last user
}

func newViews(c Config) *views {
	return &views{
		files:   workspace.NewFiles(fileWorkers),
		options: workspace.ViewOptions{MaxBytes: c.MaxSourceBytes, SourceRoots: c.SourceRoots},
		recent:  list.New(),
		byKey:   map[workspace.Key]*list.Element{},
	}
}

// use gives the view of a workspace, opened if need be, until it is released.
func (v *views) use(ctx context.Context, dir string) (*view, func(), error) {
	root, err := v.files.Root(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	used := v.take(root.Key())
	if used == nil {
		opened, err := v.open(ctx, root)
		if err != nil {
			return nil, nil, err
		}
		used = v.put(root.Key(), opened)
	}
	return used, func() { v.release(used) }, nil
}

func (v *views) take(key workspace.Key) *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.kept(key)
}

// kept is a view that is held already, with one more user. The lock is held.
func (v *views) kept(key workspace.Key) *view {
	element := v.byKey[key]
	if element == nil {
		return nil
	}
	v.recent.MoveToFront(element)
	used := element.Value.(*view)
	used.users++
	return used
}

func (v *views) open(ctx context.Context, root *workspace.Root) (*view, error) {
	snippets, err := v.files.View(ctx, root, v.options)
	if err != nil {
		return nil, err
	}
	sources, err := v.files.View(ctx, root, v.options)
	if err != nil {
		snippets.Close()
		return nil, err
	}
	return &view{snippets: snippets, sources: sources}, nil
}

// put keeps a view that was opened, unless somebody else opened one meanwhile. When all are
// closed, it is for its one user alone.
func (v *views) put(key workspace.Key, opened *view) *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	if other := v.kept(key); other != nil {
		opened.close()
		return other
	}
	opened.users++
	if v.closed {
		opened.dropped = true
		return opened
	}
	v.byKey[key] = v.recent.PushFront(opened)
	if v.recent.Len() > maxViews {
		v.drop(v.recent.Back())
	}
	return opened
}

// drop forgets a view. The lock is held.
func (v *views) drop(element *list.Element) {
	dropped := v.recent.Remove(element).(*view)
	delete(v.byKey, dropped.snippets.Root().Key())
	if dropped.dropped = true; dropped.users == 0 {
		dropped.close()
	}
}

func (v *views) release(used *view) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if used.users--; used.users == 0 && used.dropped {
		used.close()
	}
}

// close closes what is not in use, and leaves the rest to its last user.
func (v *views) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	for v.recent.Len() > 0 {
		v.drop(v.recent.Back())
	}
}

// textOf is the text of a file that was asked about, or nil where there is none to be had.
func (w *view) textOf(ctx context.Context, file string) *seam.Text {
	read, err := w.sources.Read(ctx, file)
	if err != nil {
		return nil
	}
	return seam.NewText(read.Text)
}

func (w *view) close() {
	w.snippets.Close()
	w.sources.Close()
}
