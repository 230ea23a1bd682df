package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Why a file is not opened, beside the errors of package fs.
var (
	ErrOutside    = errors.New("it leads outside the folder")
	ErrNotRegular = errors.New("not a regular file") // but a folder, device, FIFO or socket
	ErrNotFolder  = errors.New("not a folder")
	ErrReplaced   = errors.New("it was replaced while it was opened") // at every attempt
)

// attempts is how often a file is looked for that is replaced while it is opened.
const attempts = 3

// again looks, and looks again while what it looks for is being replaced.
func again[T any](ctx context.Context, look func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		value, err := look()
		if attempt == attempts || ctx.Err() != nil || !errors.Is(err, ErrReplaced) {
			return value, err
		}
	}
}

// replaced marks an error that need not be there at another look: the real path had
// just been found. A closed folder stays closed and a permission is not granted.
func replaced(err error) error {
	if errors.Is(err, fs.ErrClosed) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrReplaced, reasonOf(err))
}

// realPath follows the links in a name.
func realPath(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if errors.Is(err, syscall.EINVAL) { // a link that was none any more when it was followed
		err = replaced(err)
	}
	return path, err
}

// lookAt tells what has that real path.
func lookAt(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, replaced(err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, ErrReplaced // a real path has no links
	}
	return info, nil
}

// openAt opens what is at a place if it is the one that has that real path, and is
// wanted; the error says what it should be otherwise. What is not wanted is not even
// opened: to open a device can do something.
func openAt(at place, path string, wanted func(fs.FileMode) error) (*os.File, fs.FileInfo, error) {
	named, err := lookAt(path)
	if err != nil {
		return nil, nil, err
	}
	if err := wanted(named.Mode()); err != nil {
		return nil, nil, err
	}
	file, err := at.dir.OpenFile(at.name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, replaced(err)
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(named, info) {
		err = ErrReplaced
	}
	if err == nil {
		err = wanted(info.Mode())
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func openRegular(at place, path string) (*os.File, Stamp, error) {
	taken := time.Now() // not after the state is looked at: a stamp must not prove too much
	file, info, err := openAt(at, path, regular)
	if err != nil {
		return nil, Stamp{}, err
	}
	return file, Stamp{stateOf(info), taken.UnixNano()}, nil
}

func regular(mode fs.FileMode) error {
	if mode.IsRegular() {
		return nil
	}
	return ErrNotRegular
}

func folder(mode fs.FileMode) error {
	if mode.IsDir() {
		return nil
	}
	return ErrNotFolder
}

// OpenRegular opens a regular file of a folder, and no link, device or FIFO; none is waited
// for. The caller is on a worker of a [Files], or does not mind to hang.
func OpenRegular(dir *os.Root, name string) (*os.File, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(info.Mode()); err != nil {
		return nil, err
	}
	file, err := dir.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = ErrReplaced
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}
