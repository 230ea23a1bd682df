package langserver

import (
	"context"
	"errors"
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

// None, those that were created, or all that changed.
const (
	TouchNone Touch = iota
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
	return f.touch(ctx, q)
}

// needsRestart reports whether only a fresh process can know the disk as it is.
func (f *freshness) needsRestart() bool {
	config := &f.server.config.Freshness
	return config.RestartOnDelete && len(f.gone) > 0 || config.RestartOnMore && len(f.touches) > config.TouchLimit
}

// look takes what changed and sorts it by what is to be done.
func (f *freshness) look(ctx context.Context) error {
	found, err := f.cursor.Look(ctx)
	if err != nil {
		return seam.AsError(err)
	}
	config := &f.server.config.Freshness
	wanted := found[:0:0]
	for _, c := range found {
		if !f.server.wants(c) {
			continue
		}
		wanted = append(wanted, c)
		_, source := config.Language(c.Path)
		f.sort(c, source)
	}
	if len(wanted) == 0 {
		return nil
	}
	f.server.settling.changed()
	if config.Notify {
		f.untold = append(f.untold, wanted...)
	}
	f.toTouch.Store(int64(len(f.touches)))
	return nil
}

// maxGone bounds what is remembered of deleted files.
const maxGone = 100_000

// sort notes what is to be done about a change, beside telling it.
func (f *freshness) sort(c changes.Change, source bool) {
	if c.Kind == changes.Deleted {
		delete(f.touches, c.Path)
		if len(f.gone) < maxGone {
			f.gone[c.Path] = struct{}{}
		}
		return
	}
	delete(f.gone, c.Path)
	touch := f.server.config.Freshness.Touch
	if source && (touch == TouchAll || touch == TouchNew && c.Kind == changes.Created) {
		f.touches[c.Path] = struct{}{}
	}
}

// maxTold is how many changes one notification has. Servers read a message as a whole.
const maxTold = 2000

// tell notifies the server of the changes.
func (f *freshness) tell() error {
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

// touch opens files, asks about each once, and closes them: a server that does not heed the
// notification reads them so. The one that is asked about, and what is open anyway, is left
// to the documents.
func (f *freshness) touch(ctx context.Context, q Query) error {
	defer func() { f.toTouch.Store(int64(len(f.touches))) }()
	left := f.server.config.Freshness.TouchLimit
	for path := range f.touches {
		if left--; left < 0 {
			return nil
		}
		if err := f.touchOne(ctx, q, path); err != nil {
			return err
		}
		delete(f.touches, path)
	}
	return nil
}

func (f *freshness) touchOne(ctx context.Context, q Query, path string) error {
	s := f.server
	source, err := s.view.Read(ctx, path)
	if ctxErr := seam.ContextError(ctx); ctxErr != nil {
		return ctxErr
	}
	if err != nil || source.URI == q.Source.URI || s.documents.open[source.URI] != nil {
		return nil // gone again, or never readable; or about to be told
	}
	language, _ := s.config.Freshness.Language(path)
	if err := s.documents.opened(Query{Source: source, LanguageID: language}); err != nil {
		return err
	}
	_, err = s.request(ctx, Query{Operation: s.touching(q.Operation), Source: source})
	if ctx.Err() != nil {
		return err
	}
	if s.conn.Err() != nil {
		return s.conn.Err()
	}
	return s.documents.close(source.URI) // what it answered, or refused, does not matter
}

// touching is the question of a touch: the cheapest that the server takes.
func (s *Server) touching(asked seam.Operation) seam.Operation {
	if s.gate(seam.OpHover) == nil {
		return seam.OpHover
	}
	return asked
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
