package changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Options say what of a folder is looked at, and how.
type Options struct {
	Skip   []string // names of folders that are not entered
	Events bool     // use the system's events where there are any
	Log    *slog.Logger
}

// Tree is a folder whose files are known. It is safe for concurrent use.
type Tree struct {
	log  *slog.Logger
	skip map[string]struct{}

	turn chan struct{} // holds a token while somebody looks; guards what follows
	top  *folder
	todo worklist
	open bool
	// linked are the files that may change without a word from the folder that they are in: links, and
	// files with several names. Each look looks at them.
	linked map[*folder]map[string]struct{}
	shared map[workspace.FileID]struct{} // files that have a new name beside another
	events events                        // of the kernel, while there are any
	buffer []byte                        // for contents

	journal journal
	status  statusBox
}

// Watch takes a first look at a folder. It returns when every file is known, so that nothing
// that happens later is missed. The caller closes the tree.
func Watch(ctx context.Context, root *workspace.Root, o Options) (*Tree, error) {
	t := &Tree{
		log:     o.Log,
		skip:    make(map[string]struct{}, len(o.Skip)),
		turn:    make(chan struct{}, 1),
		top:     newFolder(root.Path(), nil),
		open:    true,
		linked:  make(map[*folder]map[string]struct{}),
		shared:  make(map[workspace.FileID]struct{}),
		journal: journal{cursors: make(map[*Cursor]struct{})},
	}
	for _, name := range o.Skip {
		t.skip[name] = struct{}{}
	}
	t.begin(o.Events)
	if err := t.look(ctx); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// begin decides how the tree is watched.
func (t *Tree) begin(wanted bool) {
	t.todo = newWorklist()
	t.todo.whole(t.top)
	if !wanted {
		return
	}
	var err error
	if t.events, err = openEvents(t.top.path); err != nil {
		t.sweepOnly(err)
		return
	}
	t.status.set(func(s *Status) { s.Events = true })
}

// sweepOnly gives up on events: each look sweeps from now on.
func (t *Tree) sweepOnly(why error) {
	t.events.close()
	t.events = events{}
	t.status.set(func(s *Status) { s.Events, s.Reason = false, why.Error() })
	if !errors.Is(why, errNoEvents) {
		t.log.Warn("no events for changes on disk: each query looks at every file of the workspace", "root", t.top.path, "reason", why)
	}
}

// Close gives everything back. Looks that wait or come later fail with [fs.ErrClosed].
func (t *Tree) Close() {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	if t.open {
		t.open = false
		t.events.close()
		t.events = events{}
	}
}

// Follow gives the changes from now on to somebody. What happened before and was not looked at
// may be told too.
func (t *Tree) Follow() *Cursor { return t.journal.follow(t) }

// Status may be called at any time.
func (t *Tree) Status() Status { return t.status.get() }

// Cursor is somebody who follows a tree. One look at a time.
type Cursor struct {
	tree *Tree
	next uint64 // in the journal; under its lock
}

// Look gives every change up to this moment that this cursor was not told: one for each file,
// by path. It fails with the error of the context, which loses nothing, and after Close.
func (c *Cursor) Look(ctx context.Context) ([]Change, error) {
	if err := c.tree.look(ctx); err != nil {
		return nil, err
	}
	return c.tree.journal.take(c), nil
}

// Close ends it. The tree stays.
func (c *Cursor) Close() { c.tree.journal.leave(c) }

// look brings what is known up to date.
func (t *Tree) look(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
	defer func() { <-t.turn }()
	if !t.open {
		return fmt.Errorf("files of %q are not followed any more: %w", t.top.path, fs.ErrClosed)
	}
	t.collect()
	return t.work(ctx)
}

// collect notes what has to be looked at: what the events name, or all.
func (t *Tree) collect() {
	if !t.events.on() {
		t.todo.sweep(t.top)
		return
	}
	if err := t.events.drain(t.todo.name, func() { t.todo.sweep(t.top) }); err != nil {
		t.sweepOnly(err)
		t.todo.sweep(t.top)
	}
	for f, names := range t.linked {
		for name := range names {
			t.todo.again(f, name)
		}
	}
}
