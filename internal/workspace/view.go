package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/navseam/navseam/seam"
)

// ViewOptions say what a provider may read beside its workspace, and how much of a
// file.
type ViewOptions struct {
	MaxBytes    int64    // of one file, a byte-order mark not counted; there is no default
	SourceRoots []string // folders outside the workspace; missing ones are skipped
}

// View is what one provider may read in one workspace. It is safe for concurrent
// use.
//
// It holds a handle of the folder for as long as it is open: a read begins there, so
// that it costs no look-up of the root, and the folder keeps its identity.
type View struct {
	files       *Files
	root        *Root
	dir         *os.Root
	maxBytes    int64
	sourceRoots []string // real paths
	returned    returned
}

// View opens a root. Source roots are resolved now, once. It fails with
// LSP_WORKSPACE_REQUIRED when the folder is not the one any more that root was made
// of. The caller closes the view.
func (f *Files) View(ctx context.Context, root *Root, o ViewOptions) (*View, error) {
	open := func() (*View, error) {
		dir, err := openRoot(root)
		if err != nil {
			return nil, err
		}
		return &View{
			files:       f,
			root:        root,
			dir:         dir,
			maxBytes:    o.MaxBytes,
			sourceRoots: realFolders(o.SourceRoots),
			returned:    newReturned(maxReturned),
		}, nil
	}
	return run(ctx, f, open, (*View).Close)
}

// Close gives the handle back. Reads that have begun end as they would have; later
// ones fail with LSP_DISPOSED.
func (v *View) Close() {
	_ = v.dir.Close() // nothing was written
}

// Root is the workspace.
func (v *View) Root() *Root { return v.root }

func openRoot(root *Root) (*os.Root, error) {
	dir, err := openDir(root)
	switch {
	case errors.Is(err, ErrReplaced):
		gone := noRoot(seam.ReasonMissing, "workspace root %q was replaced by another folder just now: ask again", root.path)
		gone.Retryable = true
		return nil, gone
	case err != nil:
		return nil, unusableRoot(root.path, err)
	}
	return dir, nil
}

// openDir opens a folder if it is still the one that was found.
func openDir(root *Root) (*os.Root, error) {
	dir, err := os.OpenRoot(root.path)
	if err != nil {
		return nil, err
	}
	info, err := dir.Stat(".")
	if err == nil && stateOf(info).identity != root.id {
		err = ErrReplaced
	}
	if err != nil {
		_ = dir.Close()
		return nil, err
	}
	return dir, nil
}

func realFolders(names []string) []string {
	var folders []string
	for _, name := range names {
		if root, err := findRoot(name); err == nil {
			folders = append(folders, root.path)
		}
	}
	return folders
}

// place is an opened folder and the name of a file in it. Whatever happens to the
// file system meanwhile, opening that name does not lead out of the folder.
type place struct {
	dir   *os.Root
	name  string
	owned bool // the folder was opened for this one file
}

func (p place) close() {
	if p.owned {
		_ = p.dir.Close()
	}
}

// place decides whether the file with that real path may be read, and from where.
func (v *View) place(path string) (p place, allowed bool, err error) {
	if name, ok := within(v.root.path, path); ok {
		return place{dir: v.dir, name: name}, true, nil
	}
	for _, folder := range v.sourceRoots {
		if name, ok := within(folder, path); ok {
			dir, err := os.OpenRoot(folder)
			return place{dir, name, true}, true, err
		}
	}
	if v.returned.has(path) {
		dir, err := os.OpenRoot(filepath.Dir(path))
		return place{dir, filepath.Base(path), true}, true, err
	}
	return place{}, false, nil
}
