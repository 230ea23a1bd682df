package stdio

import (
	"context"
	"errors"

	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// evict ends all servers of a provider and forgets its spaces.
func (p *Pool) evict(ctx context.Context, provider *Provider) error {
	var failures []error
	for _, server := range p.dismissAll(provider) {
		select {
		case <-server.Done():
			failures = append(failures, server.LeftErr())
		case <-ctx.Done():
			return seam.ContextError(ctx)
		}
	}
	p.mu.Lock()
	var unused []*workspace.View
	for _, sp := range p.spaces {
		if sp.key.provider == provider {
			unused = append(unused, p.drop(sp)...)
		}
	}
	p.mu.Unlock()
	closeViews(unused)
	return errors.Join(failures...)
}

func (p *Pool) dismissAll(provider *Provider) []*langserver.Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	var servers []*langserver.Server
	for server, r := range p.residents {
		if r.slot.space.key.provider == provider {
			p.dismiss(server, r)
			servers = append(servers, server)
		}
	}
	return servers
}

// Close waits until every goroutine of the pool has ended. Its providers are closed
// before.
func (p *Pool) Close(ctx context.Context) error {
	ended := make(chan struct{})
	go func() {
		p.watchers.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
	return p.files.Wait(ctx)
}
