package langserver

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/navseam/navseam/internal/changes"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// Freshness says how a server learns of what changed on disk beside the documents that it has
// open. Servers differ in what they heed; the zero value tells nothing.
type Freshness struct {
	// Follow gives the changes from now on, those of a moment ago included. Nil where nobody
	// looks; it may fail, and then the server does not start.
	Follow func(ctx context.Context) (*changes.Cursor, error)

	Language func(path string) (id string, ok bool) // of the files that the server is asked about
	Watch    []string                               // patterns of other files that matter to it

	RestartOn []string // patterns of files whose change needs a fresh process

	Notify          bool // workspace/didChangeWatchedFiles
	Touch           Touch
	TouchLimit      int  // the most files that one query touches
	RestartOnMore   bool // more than that need a fresh process, instead of more queries
	RestartOnDelete bool // a file that is gone needs a fresh process

	// Settle is how far apart two answers must be that agree, after a start and after a change.
	// 0: the first counts.
	Settle time.Duration
}

// Touch says which files are opened, asked about once and closed after they changed.
type Touch uint8

// None, one of each folder that has only new ones, those that were created, or all that changed.
const (
	TouchNone Touch = iota
	TouchFolders
	TouchNew
	TouchAll
)

// freshness is what a server has yet to learn of the disk. One query at a time uses it.
type freshness struct {
	server  *Server
	cursor  *changes.Cursor // nil: nobody looks
	untold  []changes.Change
	touches map[string]struct{} // paths that are to be touched
	gone    map[string]struct{} // paths of wanted files that were deleted and are not back
	restart bool                // a file changed that needs a fresh process
	again   rescan

	told    atomic.Int64 // changes told so far, for Status
	toTouch atomic.Int64 // len(touches), for Status
}

func newFreshness(s *Server) freshness {
	return freshness{server: s, touches: make(map[string]struct{}), gone: make(map[string]struct{})}
}

// errOutdated is in the chain of the failure of a query that needs a fresh process.
var errOutdated = errors.New("the server cannot learn what changed on disk")

// Outdated reports whether a query failed because the server cannot learn what changed on disk:
// a fresh one can.
func Outdated(err error) bool { return errors.Is(err, errOutdated) }

func (f *freshness) outdated() error {
	e := seam.Errorf(seam.CodeUnavailable,
		"files change faster than server %q can be started anew: ask again when that is over", f.server.config.ID)
	e.Retryable = true
	e.Err = errOutdated
	return e
}

// bring tells the server all that changed on disk up to now, but for what the documents know.
// What ctx cuts off is kept for the next query.
func (f *freshness) bring(ctx context.Context, q Query) error {
	if f.cursor == nil {
		return nil
	}
	if err := f.look(ctx); err != nil {
		return err
	}
	if f.needsRestart() && !q.Stay {
		return f.outdated()
	}
	if err := f.tell(); err != nil {
		return err
	}
	if err := f.again.wait(ctx, f.server); err != nil {
		return err
	}
	return f.touch(ctx, q)
}

// needsRestart reports whether only a fresh process can know the disk as it is.
func (f *freshness) needsRestart() bool {
	config := &f.server.config.Freshness
	return f.restart || config.RestartOnDelete && len(f.gone) > 0 || config.RestartOnMore && len(f.touches) > config.TouchLimit
}

// look takes what changed and sorts it by what is to be done.
func (f *freshness) look(ctx context.Context) error {
	found, err := f.cursor.Look(ctx)
	if err != nil {
		return seam.AsError(err)
	}
	wanted := slices.DeleteFunc(found, func(c changes.Change) bool { return !f.server.wants(c) })
	if len(wanted) == 0 {
		return nil
	}
	f.server.settling.changed()
	for _, c := range wanted {
		f.sort(c)
	}
	if f.server.config.Freshness.Touch == TouchFolders {
		f.touchFolders(wanted)
	}
	f.toTouch.Store(int64(len(f.touches)))
	return nil
}

// maxGone bounds what is remembered of deleted files.
const maxGone = 100_000

// sort notes what is to be done about a change.
func (f *freshness) sort(c changes.Change) {
	config := &f.server.config.Freshness
	if config.Notify {
		f.untold = append(f.untold, told(c)...)
	}
	if c.Folder {
		return
	}
	f.restart = f.restart || matchesAny(config.RestartOn, f.server.relative(c.Path))
	if c.Kind == changes.Deleted {
		delete(f.touches, c.Path)
		if len(f.gone) < maxGone {
			f.gone[c.Path] = struct{}{}
		}
		return
	}
	delete(f.gone, c.Path)
	if config.Touch == TouchAll || config.Touch == TouchNew && c.Kind == changes.Created {
		f.addTouch(c.Path)
	}
}

// told is what a server is told of a change. The protocol has no word for a folder that became
// another one.
func told(c changes.Change) []changes.Change {
	if !c.Folder || c.Kind != changes.Changed {
		return []changes.Change{c}
	}
	gone, made := c, c
	gone.Kind, made.Kind = changes.Deleted, changes.Created
	return []changes.Change{gone, made}
}

func (f *freshness) addTouch(path string) {
	if _, source := f.server.config.Freshness.Language(path); source {
		f.touches[path] = struct{}{}
	}
}

// maxTold is how many changes one notification has. Servers read a message as a whole.
const maxTold = 2000

// tell notifies the server of the changes.
func (f *freshness) tell() error {
	if f.server.rescans(f.untold) {
		f.again.expect(f.server.activity)
	}
	for len(f.untold) > 0 {
		batch := f.untold[:min(len(f.untold), maxTold)]
		params := watchedFilesParams{Changes: make([]fileEvent, len(batch))}
		for i, c := range batch {
			params.Changes[i] = fileEvent{URI: workspace.FileURI(c.Path), Type: uint8(c.Kind)}
		}
		if err := f.server.conn.Notify("workspace/didChangeWatchedFiles", params); err != nil {
			return err
		}
		f.told.Add(int64(len(batch)))
		f.untold = f.untold[len(batch):]
	}
	f.untold = nil
	return nil
}

// whole reports whether the server has learned all that changed.
func (f *freshness) whole() bool {
	return len(f.touches) == 0 && !f.needsRestart()
}

// disproved reports whether an answer has a place in a file that is gone: the server cannot have
// noticed that.
func (f *freshness) disproved(result seam.Result) bool {
	found, ok := result.(seam.Locations)
	if !ok || len(f.gone) == 0 {
		return false
	}
	last := ""
	for _, item := range found.Items {
		if item.URI == last {
			continue
		}
		last = item.URI
		path, err := workspace.PathOf(item.URI)
		if _, gone := f.gone[path]; err == nil && gone {
			return true
		}
	}
	return false
}

func (f *freshness) close() {
	if f.cursor != nil {
		f.cursor.Close()
	}
}
