package sandbox

import (
	"context"

	"github.com/navseam/navseam/internal/workspace"
)

// Workspaces finds the folders that questions are about. [FileWorkspaces] finds those of
// the file system; tests and benchmarks keep theirs in memory.
type Workspaces interface {
	// Root gives a folder its one canonical spelling, or LSP_WORKSPACE_REQUIRED.
	Root(ctx context.Context, dir string) (Root, error)
	// Mount opens another folder that a module may read. The caller closes it.
	Mount(ctx context.Context, dir string) (*workspace.Folder, error)
}

// Root is a workspace. Two of the same folder have the same key, which is comparable.
type Root struct {
	Key       any
	Path, URI string
	// Open opens the workspace for reading. The caller closes the documents.
	Open func(ctx context.Context, o workspace.ViewOptions) (Documents, error)
}

// Documents are the files of one workspace. [workspace.View] is that of the file system.
type Documents interface {
	// Find checks that a document is contained, exists and is a regular file.
	Find(ctx context.Context, path string) (workspace.Document, error)
	// Read reads one that was found.
	Read(ctx context.Context, path string) (workspace.Source, error)
	Close()
}

// FileWorkspaces are the folders of the file system.
func FileWorkspaces(files *workspace.Files) Workspaces { return fileWorkspaces{files} }

type fileWorkspaces struct{ files *workspace.Files }

func (w fileWorkspaces) Root(ctx context.Context, dir string) (Root, error) {
	root, err := w.files.Root(ctx, dir)
	if err != nil {
		return Root{}, err
	}
	open := func(ctx context.Context, o workspace.ViewOptions) (Documents, error) {
		view, err := w.files.View(ctx, root, o)
		if err != nil {
			return nil, err // no nil *View in an interface
		}
		return view, nil
	}
	return Root{root.Key(), root.Path(), root.URI(), open}, nil
}

func (w fileWorkspaces) Mount(ctx context.Context, dir string) (*workspace.Folder, error) {
	return w.files.Folder(ctx, dir)
}
