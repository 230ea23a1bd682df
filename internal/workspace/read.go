package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/navseam/navseam/seam"
)

// Source is a file as it was when it was read.
type Source struct {
	Path  string // real and absolute
	URI   string // of Path
	Text  string // without byte-order mark, otherwise as it is in the file
	Stamp Stamp
}

// Read reads a file. A relative path starts at the root. It fails with
// LSP_SOURCE_REJECTED and a reason.
//
// Containment is judged on the real path and then held by opening that path from a
// handle of the folder: a link that somebody puts in its way meanwhile is not
// followed out of there.
func (v *View) Read(ctx context.Context, path string) (Source, error) {
	return run(ctx, v.files, func() (Source, error) { return v.read(ctx, path) }, nil)
}

// Unchanged reports for each source whether its file is proved to have the same
// bytes still. Nothing is proved of a file that changed within two seconds before it
// was read, nor when ctx ends first. It costs one lstat each, all on one worker: an
// lstat can hang like any other file work.
func (v *View) Unchanged(ctx context.Context, sources ...Source) []bool {
	sources = append([]Source(nil), sources...) // the caller may leave, and use its own again
	same, err := run(ctx, v.files, func() ([]bool, error) {
		same := make([]bool, len(sources))
		for i, s := range sources {
			info, err := os.Lstat(s.Path)
			same[i] = err == nil && s.Stamp.proves(info)
		}
		return same, ctx.Err()
	}, nil)
	if err != nil {
		return make([]bool, len(sources))
	}
	return same
}

// attempts is how often a file is looked for that is replaced while it is opened.
const attempts = 3

// errReplaced is the reason to look again.
var errReplaced = errors.New("it was replaced while it was opened")

func (v *View) read(ctx context.Context, path string) (Source, error) {
	name := path
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.root.path, name)
	}
	name = filepath.Clean(name)
	if strings.IndexByte(name, 0) >= 0 {
		return Source{}, refuse(seam.ReasonMissing, "%q was not found: no path has a NUL byte: check the path", name)
	}
	for attempt := 1; ; attempt++ {
		source, err := v.readOnce(ctx, name)
		if attempt == attempts || ctx.Err() != nil || !errors.Is(err, errReplaced) {
			return source, err
		}
	}
}

func (v *View) readOnce(ctx context.Context, name string) (Source, error) {
	path, err := filepath.EvalSymlinks(name)
	if errors.Is(err, syscall.EINVAL) { // a link that was none any more when it was followed
		err = replaced(err)
	}
	if err != nil {
		return Source{}, v.unreadable(name, err)
	}
	at, allowed, err := v.place(path)
	if !allowed {
		return Source{}, v.outside(name, path)
	}
	if err != nil {
		return Source{}, v.unreadable(name, err)
	}
	defer at.close()

	file, stamp, err := openRegular(at, path)
	if err != nil {
		return Source{}, v.unreadable(name, err)
	}
	defer func() { _ = file.Close() }() // nothing was written

	raw, err := readUpTo(ctx, file, stamp.size, v.maxBytes)
	if err != nil {
		return Source{}, v.unreadable(name, err)
	}
	text, err := decode(name, raw, v.maxBytes)
	if err != nil {
		return Source{}, err
	}
	return Source{Path: path, URI: FileURI(path), Text: text, Stamp: stamp}, nil
}

// openRegular opens the file at a place if it is a regular one, and the one that has
// that real path. Anything else is not even opened: to open a device can do something.
func openRegular(at place, path string) (*os.File, Stamp, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, Stamp{}, replaced(err)
	}
	if named.Mode()&fs.ModeSymlink != 0 {
		return nil, Stamp{}, errReplaced // a real path has no links
	}
	if !named.Mode().IsRegular() {
		return nil, Stamp{}, errNotRegular
	}
	file, err := at.dir.OpenFile(at.name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, Stamp{}, replaced(err)
	}
	taken := time.Now()
	info, err := file.Stat()
	if err == nil && !os.SameFile(named, info) {
		err = errReplaced
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = file.Close()
		return nil, Stamp{}, err
	}
	return file, Stamp{stateOf(info), taken.UnixNano()}, nil
}

// errNotRegular is about folders, devices, FIFOs and sockets.
var errNotRegular = errors.New("not a regular file")

// replaced marks an error that need not be there at another look: the real path had
// just been found. A closed view stays closed and a permission is not granted.
func replaced(err error) error {
	if errors.Is(err, fs.ErrClosed) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w: %w", errReplaced, reasonOf(err))
}

// unreadable says why the file that was asked for as name cannot be read.
func (v *View) unreadable(name string, err error) *seam.Error {
	err = reasonOf(err)
	switch {
	case errors.Is(err, fs.ErrClosed):
		return seam.Errorf(seam.CodeDisposed, "%q was not read: the provider is closed: %w", name, err)
	case errors.Is(err, errNotRegular):
		return refuse(seam.ReasonNotRegular, "%q is %w: name a source file", name, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return refuse(seam.ReasonMissing, "%q was not found: %w: check the path; a relative one starts at %q", name, err, v.root.path)
	case errors.Is(err, errReplaced):
		e := refuse(seam.ReasonUnreadable, "%q could not be read: %w: ask again", name, err)
		e.Retryable = true
		return e
	default:
		return refuse(seam.ReasonUnreadable, "%q could not be read: %w: check its permissions", name, err)
	}
}

func (v *View) outside(name, path string) *seam.Error {
	return refuse(seam.ReasonOutside,
		"%q resolves outside the workspace %q, to %q: name a file of the workspace, of a folder in sourceRoots, or one that an earlier answer led to",
		name, v.root.path, path)
}

func refuse(reason, format string, args ...any) *seam.Error {
	return seam.Errorf(seam.CodeSourceRejected, format, args...).WithReason(reason)
}
