package stdio

import (
	"context"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// enter holds the space whose servers know the file of a question: that of the workspace,
// or with root markers that of the project in it that the file belongs to now. The file is
// named by its real path then, so that a link that is turned meanwhile leads no server to
// the file of another.
func (p *Provider) enter(ctx context.Context, t seam.Target) (*space, seam.Target, error) {
	root, err := p.pool.files.Root(ctx, t.WorkspaceRoot)
	if err != nil {
		return nil, t, err
	}
	sp, err := p.pool.enter(ctx, p, root)
	if err != nil || len(p.config.RootMarkers) == 0 {
		return sp, t, err
	}
	defer p.pool.leave(sp)
	for retried := false; ; retried = true {
		path, project, err := sp.view.Project(ctx, t.FilePath, p.config.RootMarkers)
		if err != nil {
			return nil, t, err
		}
		inner, err := p.pool.enterProject(ctx, sp, project)
		if seam.CodeOf(err) == seam.CodeWorkspaceRequired && !retried {
			continue // the folder has gone just now: so has the file, or it belongs to another one
		}
		t.FilePath = path
		return inner, t, err
	}
}

// enterProject returns the space of a project in a workspace that is held, and holds it
// until leave. The project may be the workspace itself.
func (p *Pool) enterProject(ctx context.Context, outer *space, project *workspace.Root) (*space, error) {
	key := spaceKey{outer.key.provider, outer.key.root, project.Key()}
	if sp := p.hold(key, nil, nil); sp != nil {
		return sp, nil
	}
	home, err := p.files.View(ctx, project, workspace.ViewOptions{}) // to hold it: nothing is read through it
	if err != nil {
		return nil, err
	}
	return p.holdWith(key, outer, home), nil
}
