package sandbox

import (
	"context"
	"errors"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// What a module hears of a mount: nothing of the host's own paths.
var (
	errNoMount   = errors.New("the deployment mounts nothing of that name")
	errMountGone = errors.New("the mount cannot be opened: tell the deployer")
)

// folder opens what is mounted under a name, once for all instances.
func (s *space) folder(ctx context.Context, mount string) (*workspace.Folder, error) {
	dir, ok := s.provider.config.Grants.Mounts[mount]
	if mount == workspaceMount {
		dir, ok = s.root.Path, s.provider.config.Grants.Workspace
	}
	if !ok {
		return nil, errNoMount
	}
	s.mu.Lock()
	folder := s.folders[mount]
	s.mu.Unlock()
	if folder != nil {
		return folder, nil
	}
	folder, err := s.provider.workspaces.Mount(ctx, dir)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, seam.ContextError(ctx)
	case err != nil:
		s.provider.log.Error("a mount cannot be opened", "mount", mount, "error", err)
		return nil, errMountGone
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.folders[mount]; known != nil { // another instance was faster
		folder.Close()
		return known, nil
	}
	s.folders[mount] = folder
	return folder, nil
}

// unmount forgets a folder that another has taken the place of: the next use opens that.
func (s *space) unmount(mount string, folder *workspace.Folder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if folder != nil && s.folders[mount] == folder {
		delete(s.folders, mount)
		folder.Close()
	}
}
