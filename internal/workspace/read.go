package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

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

func (v *View) read(ctx context.Context, path string) (Source, error) {
	at, err := v.open(ctx, path)
	if err != nil {
		return Source{}, err
	}
	defer at.close()
	raw, err := readUpTo(ctx, at.file, at.stamp.size, v.maxBytes)
	if err != nil {
		return Source{}, v.unreadable(at.name, err)
	}
	text, err := decode(at.name, raw, v.maxBytes)
	if err != nil {
		return Source{}, err
	}
	return Source{Path: at.document.Path, URI: at.document.URI, Text: text, Stamp: at.stamp}, nil
}

// unreadable says why the file that was asked for as name cannot be read.
func (v *View) unreadable(name string, err error) *seam.Error {
	err = reasonOf(err)
	switch {
	case errors.Is(err, fs.ErrClosed):
		return seam.Errorf(seam.CodeDisposed, "%q was not read: the provider is closed: %w", name, err)
	case errors.Is(err, ErrNotRegular):
		return refuse(seam.ReasonNotRegular, "%q is %w: name a source file", name, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return refuse(seam.ReasonMissing, "%q was not found: %w: check the path; a relative one starts at %q", name, err, v.root.path)
	case errors.Is(err, ErrReplaced):
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
