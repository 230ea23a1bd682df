package host

import (
	"context"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
)

// provider is what both kinds are to their host.
type provider interface {
	seam.Provider
	Start(ctx context.Context, root string) error
	Drain(ctx context.Context) error
	Close(ctx context.Context) error
}

// compilers is how many modules are compiled at once: each may take much memory, and a
// processor for seconds.
const compilers = 2

// builder makes the providers of one configuration.
type builder struct {
	host      *Host
	config    Config
	compiling chan struct{}
}

func (b builder) provider(ctx context.Context, id string) (provider, error) {
	if _, ok := b.config.Modules[id]; ok {
		return b.module(ctx, id)
	}
	return b.server(id)
}

func (b builder) server(id string) (provider, error) {
	c, err := b.config.native(id, b.host.options)
	if err != nil {
		return nil, err
	}
	made, err := stdio.New(c, b.host.pool)
	if err != nil {
		return nil, err // no nil *stdio.Provider in an interface
	}
	return made, nil
}

func (b builder) module(ctx context.Context, id string) (provider, error) {
	c, err := b.config.sandboxed(id, b.host.options)
	if err != nil {
		return nil, err
	}
	if err := b.config.Modules[id].checkMounts(id); err != nil {
		return nil, err
	}
	select {
	case b.compiling <- struct{}{}:
		defer func() { <-b.compiling }()
	case <-ctx.Done():
		return nil, seam.ContextError(ctx)
	}
	made, err := sandbox.New(ctx, c, b.host.folders)
	if err != nil {
		return nil, err
	}
	return made, nil
}
