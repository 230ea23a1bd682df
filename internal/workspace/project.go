package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Project tells where a file of the view really lies, and which folder of the workspace it
// belongs to: the nearest one, from the file's own folder upwards, that holds one of the
// markers. Without any it is the root. A marker is the name of a file or folder, or a pattern
// of [path.Match] for such names. A file outside the workspace belongs where the answer came
// from that led to it last, and to the root if none did.
//
// Nothing is remembered: a marker counts from the moment that it is there. The walk goes from
// handle to handle, so that no link leads it out of the workspace.
func (v *View) Project(ctx context.Context, file string, markers []string) (realPath string, project *Root, err error) {
	type found struct {
		path    string
		project *Root
	}
	f, err := run(ctx, v.files, func() (found, error) {
		name, err := v.absolute(file)
		if err != nil {
			return found{}, err
		}
		return again(ctx, func() (found, error) {
			path, project, err := v.projectOf(ctx, name, markers)
			return found{path, project}, err
		})
	}, nil)
	return f.path, f.project, err
}

func (v *View) projectOf(ctx context.Context, name string, markers []string) (string, *Root, error) {
	path, err := realPath(name)
	if err != nil {
		return "", nil, v.unreadable(name, err)
	}
	folder, inside := within(v.root.path, filepath.Dir(path))
	if !inside {
		if !v.allows(path) {
			return "", nil, v.outside(name, path)
		}
		if folder = v.returned.project(path); folder == "" {
			return path, v.root, nil
		}
	}
	project, err := v.nearest(ctx, folder, markers)
	switch {
	case err == nil:
		return path, project, nil
	case !inside && errors.Is(err, ErrReplaced):
		return path, v.root, nil // the project that it came from is gone
	default:
		return "", nil, v.unreadable(name, err)
	}
}

// nearest walks down to a folder and returns the last one on the way that holds a marker.
// Down, because a folder can be opened from the one above it, but not the other way round.
func (v *View) nearest(ctx context.Context, folder string, markers []string) (*Root, error) {
	project, dir := v.root, v.dir
	defer func() { closeBut(v.dir, dir) }()
	for at := 0; folder != "." && at < len(folder); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := at
		for end < len(folder) && !os.IsPathSeparator(folder[end]) {
			end++
		}
		part := folder[at:end]
		next, id, err := folderIn(dir, part)
		if err != nil {
			return nil, err
		}
		closeBut(v.dir, dir)
		dir = next
		marked, err := holdsAny(ctx, dir, markers)
		if err != nil {
			return nil, err
		}
		if marked {
			path := filepath.Join(v.root.path, folder[:end])
			project = &Root{path, FileURI(path), id}
		}
		at = end + 1
	}
	return project, nil
}

// folderIn opens a folder of another one. A link is none: a real path has no links.
func folderIn(dir *os.Root, name string) (*os.Root, identity, error) {
	named, err := dir.Lstat(name)
	if err != nil {
		return nil, identity{}, replaced(err)
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, identity{}, replaced(err)
	}
	info, err := next.Stat(".")
	if err == nil && !os.SameFile(named, info) {
		err = ErrReplaced
	}
	if err != nil {
		_ = next.Close()
		return nil, identity{}, err
	}
	return next, stateOf(info).identity, nil
}

// closeBut closes a handle that is not the one to keep.
func closeBut(keep, dir *os.Root) {
	if dir != keep {
		_ = dir.Close() // nothing was written
	}
}

// holdsAny reports whether a folder has one of the markers. What cannot be seen is not there.
func holdsAny(ctx context.Context, dir *os.Root, markers []string) (bool, error) {
	var patterns []string
	for _, marker := range markers {
		if isPattern(marker) {
			patterns = append(patterns, marker)
			continue
		}
		_, err := dir.Lstat(marker) // a link counts by its name, wherever it leads
		if err == nil {
			return true, nil
		}
		if !absentOrHidden(err) {
			return false, err
		}
	}
	if len(patterns) == 0 {
		return false, nil
	}
	list, err := dir.Open(".")
	if err != nil {
		if absentOrHidden(err) {
			err = nil
		}
		return false, err
	}
	defer func() { _ = list.Close() }() // nothing was written
	return anyMatches(ctx, list, patterns)
}

func absentOrHidden(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

func anyMatches(ctx context.Context, list *os.File, patterns []string) (bool, error) {
	const batch = 1000
	for {
		names, err := list.Readdirnames(batch)
		for _, name := range names {
			for _, pattern := range patterns {
				if ok, _ := path.Match(pattern, name); ok { // a malformed one was refused with the configuration
					return true, nil
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return false, err
		}
	}
}

// isPattern reports whether a marker is a pattern, and not just a name.
func isPattern(marker string) bool { return strings.ContainsAny(marker, `*?[`) }

// allows reports whether a file outside the root may be read.
func (v *View) allows(path string) bool {
	for _, folder := range v.sourceRoots {
		if _, ok := within(folder, path); ok {
			return true
		}
	}
	return v.returned.has(path)
}
