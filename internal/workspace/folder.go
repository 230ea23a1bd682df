package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Folder is a folder that somebody may read who is not trusted: nothing outside it is
// reached, whatever is linked in it and whatever is swapped meanwhile. It is safe for
// concurrent use.
//
// Names are relative to the folder, with slashes; "" and "." are the folder itself.
// Errors are told apart with errors.Is: [fs.ErrNotExist], [fs.ErrPermission],
// [fs.ErrInvalid] for what can be no name, [fs.ErrClosed], [ErrOutside],
// [ErrNotRegular], [ErrNotFolder], [ErrTooMany], [ErrReplaced], or that of the context.
// Their texts have the name that was given and no path of this machine.
type Folder struct {
	files  *Files
	dir    *os.Root
	path   string // real
	closed atomic.Bool
}

// Folder opens a folder; a relative one starts at the working directory of the process.
// The caller closes it. The error is for the deployer and names the path.
func (f *Files) Folder(ctx context.Context, dir string) (*Folder, error) {
	open := func() (*Folder, error) {
		if dir == "" {
			return nil, fmt.Errorf("no folder was named: %w", fs.ErrInvalid)
		}
		root, err := findFolder(dir)
		if err != nil {
			return nil, unusableFolder(dir, err)
		}
		handle, err := openDir(root)
		if err != nil {
			return nil, unusableFolder(dir, err)
		}
		return &Folder{files: f, dir: handle, path: root.path}, nil
	}
	return run(ctx, f, open, (*Folder).release)
}

// Folder opens the root of the view once more. The caller closes it, before or after the
// view.
func (v *View) Folder(ctx context.Context) (*Folder, error) {
	open := func() (*Folder, error) {
		handle, err := v.dir.OpenRoot(".")
		if err != nil {
			return nil, unusableFolder(v.root.path, err)
		}
		return &Folder{files: v.files, dir: handle, path: v.root.path}, nil
	}
	return run(ctx, v.files, open, (*Folder).release)
}

func unusableFolder(dir string, err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		err = ErrNotFolder
	}
	return fmt.Errorf("folder %q cannot be used: %w: name a folder that exists and can be read", dir, reasonOf(err))
}

// Close gives the handle back and does not wait for that. Files that were opened stay
// open.
func (d *Folder) Close() {
	if !d.closed.Swap(true) {
		d.files.background(d.release)
	}
}

func (d *Folder) release() {
	_ = d.dir.Close() // nothing was written
}

// Kind is what a name stands for.
type Kind uint32

// The kinds. A link is what it leads to.
const (
	KindFile Kind = iota
	KindFolder
	KindOther // device, FIFO, socket
)

// Info is the state of a file or folder.
type Info struct {
	Size    int64 // of a file; of another thing whatever the system says
	ModTime time.Time
	Kind    Kind
}

func infoOf(info fs.FileInfo) Info {
	kind := KindOther
	switch {
	case info.Mode().IsRegular():
		kind = KindFile
	case info.IsDir():
		kind = KindFolder
	}
	return Info{Size: info.Size(), ModTime: info.ModTime(), Kind: kind}
}

// Stat tells what a name stands for, without opening it.
func (d *Folder) Stat(ctx context.Context, name string) (Info, error) {
	return look(ctx, d, name, func(at place, path string) (Info, error) {
		named, err := lookAt(path)
		if err != nil {
			return Info{}, err
		}
		info, err := at.dir.Lstat(at.name)
		if err != nil {
			return Info{}, replaced(err)
		}
		if !os.SameFile(named, info) {
			return Info{}, ErrReplaced
		}
		return infoOf(info), nil
	}, nil)
}

// look finds the place of a name, on a worker, and does something there: again when it
// was replaced meanwhile. See [run] about drop.
func look[T any](ctx context.Context, d *Folder, name string, do func(at place, path string) (T, error), drop func(T)) (T, error) {
	var none T
	local, err := localName(name)
	if err != nil {
		return none, err
	}
	return run(ctx, d.files, func() (T, error) {
		value, err := again(ctx, func() (T, error) {
			at, path, err := d.place(local)
			if err != nil {
				return none, err
			}
			return do(at, path)
		})
		if err != nil {
			return none, unusable(name, err)
		}
		return value, nil
	}, drop)
}

// place decides whether a name stays in the folder, links followed.
func (d *Folder) place(local string) (at place, path string, err error) {
	if d.closed.Load() {
		return place{}, "", fs.ErrClosed
	}
	path, err = realPath(filepath.Join(d.path, local))
	if err != nil {
		return place{}, "", err
	}
	name, ok := within(d.path, path)
	if !ok {
		return place{}, "", ErrOutside
	}
	return place{dir: d.dir, name: name}, path, nil
}

// maxName is the length of the longest name that is looked at, in bytes.
const maxName = 4096

// localName takes a name that was given to one of this system.
func localName(name string) (string, error) {
	if len(name) > maxName {
		return "", fmt.Errorf("a name of %d bytes is too long: the limit is %d: %w", len(name), maxName, fs.ErrInvalid)
	}
	clean := path.Clean(name) // "" becomes "."
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", unusable(name, ErrOutside)
	}
	local, err := filepath.Localize(clean)
	if err != nil || strings.Contains(name, `\`) {
		return "", fmt.Errorf("%q is no name of a file here: %w", name, fs.ErrInvalid)
	}
	return local, nil
}

// unusable says what is wrong with a name, without the path that it stands for.
func unusable(name string, err error) error {
	err = reasonOf(err)
	if errors.Is(err, syscall.ENOTDIR) { // a part of it that should be a folder is a file
		err = fs.ErrNotExist
	}
	return fmt.Errorf("%q cannot be read: %w", name, err)
}
