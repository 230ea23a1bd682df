package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/navseam/navseam/seam"
)

// Root is a workspace folder in its one canonical spelling.
type Root struct {
	path string
	uri  string
	id   identity
}

// Key tells workspaces apart. All spellings of a folder have one key. A folder that
// was deleted and created again has another, as long as a [View] of the first is
// open: the handle that the view holds keeps the number of the folder from being
// given out again.
type Key struct {
	path string
	id   identity
}

// Path is the real, absolute path of the folder.
func (r *Root) Path() string { return r.path }

// URI is the file: URI of that path.
func (r *Root) URI() string { return r.uri }

// Key is the identity of the workspace.
func (r *Root) Key() Key { return Key{r.path, r.id} }

// Root finds the folder that dir names. A relative dir starts at the working
// directory of the process. It fails with LSP_WORKSPACE_REQUIRED where there is no
// folder.
func (f *Files) Root(ctx context.Context, dir string) (*Root, error) {
	return run(ctx, f, func() (*Root, error) { return findRoot(dir) }, nil)
}

func findRoot(dir string) (*Root, error) {
	if dir == "" {
		return nil, noRoot(seam.ReasonMissing, "no workspace root was given: name the folder that the question is about")
	}
	root, err := findFolder(dir)
	if err != nil {
		return nil, unusableRoot(dir, err)
	}
	return root, nil
}

func findFolder(dir string) (*Root, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, syscall.ENOTDIR
	}
	return &Root{path, FileURI(path), stateOf(info).identity}, nil
}

// unusableRoot says why the folder that was given as dir cannot be a root.
func unusableRoot(dir string, err error) *seam.Error {
	err = reasonOf(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noRoot(seam.ReasonMissing, "workspace root %q: %w: name a folder that exists", dir, err)
	case errors.Is(err, syscall.ENOTDIR):
		return noRoot(seam.ReasonNotDirectory, "workspace root %q is not a directory: name the folder: %w", dir, err)
	default:
		return noRoot(seam.ReasonUnreadable, "workspace root %q cannot be used: %w: check its permissions", dir, err)
	}
}

func noRoot(reason, format string, args ...any) *seam.Error {
	return seam.Errorf(seam.CodeWorkspaceRequired, format, args...).WithReason(reason)
}

// reasonOf takes operation and path off an error of package os; the message around
// it names the path already.
func reasonOf(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// within returns path relative to folder when it is the folder or below it. Both are
// absolute and clean.
func within(folder, path string) (rel string, ok bool) {
	rest, ok := strings.CutPrefix(path, folder)
	switch {
	case !ok:
		return "", false
	case rest == "":
		return ".", true
	case os.IsPathSeparator(folder[len(folder)-1]): // the root of the file system
		return rest, true
	case os.IsPathSeparator(rest[0]):
		return rest[1:], true
	default:
		return "", false
	}
}
