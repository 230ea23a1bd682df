package stdio

import (
	"context"

	"github.com/navseam/navseam/seam"
)

// Start starts the server of a workspace and waits for its handshake, without a question.
// It works at the root, as for the files of no marked folder.
func (p *Provider) Start(ctx context.Context, workspaceRoot string) error {
	if !p.gate.Enter() {
		return p.disposed()
	}
	defer p.gate.Leave()
	ctx, cancel := p.bound(ctx)
	defer cancel()
	root, err := p.pool.files.Root(ctx, workspaceRoot)
	if err != nil {
		return err
	}
	sp, err := p.pool.enter(ctx, p, root)
	if err != nil {
		return err
	}
	defer p.pool.leave(sp)
	s, err := p.pool.take(ctx, sp)
	if err != nil {
		return err
	}
	defer p.pool.release(s)
	server, err := p.pool.server(s)
	if err != nil {
		return err
	}
	select {
	case <-server.Started():
		return server.StartErr()
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
}
