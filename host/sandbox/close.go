package sandbox

import (
	"context"

	"github.com/navseam/navseam/seam"
)

// begin counts a query and gives it the module as it is now, unless the provider is closed.
func (p *Provider) begin() (*release, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed(p.config.ID)
	}
	p.active++
	p.current.users++
	return p.current, nil
}

func (p *Provider) finish(r *release) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	r.users--
	p.retire(r)
	p.checkDrained()
}

// retire ends a release that was replaced once nobody uses it. The lock is held.
func (p *Provider) retire(r *release) {
	if r != p.current && r.users == 0 {
		p.background.Go(r.close)
	}
}

// checkDrained closes drained when it is time. The lock is held.
func (p *Provider) checkDrained() {
	if p.closed && p.active == 0 {
		close(p.drained)
	}
}

// shut refuses new queries from now on.
func (p *Provider) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		p.checkDrained()
	}
}

// Drain closes the provider after the queries that have begun are answered, or when ctx
// ends, whichever is first.
func (p *Provider) Drain(ctx context.Context) error {
	p.shut()
	select {
	case <-p.drained:
	case <-ctx.Done():
	}
	return p.Close(ctx)
}

// Close ends the provider: queries that have begun fail with LSP_DISPOSED. It returns when
// nothing is left, or when ctx ends; the end then goes on without it.
func (p *Provider) Close(ctx context.Context) error {
	p.shut()
	p.dispose(errClosed(p.config.ID))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-p.drained
		p.background.Wait()
		p.end()
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
}

// end lets go of the last release. A second Close finds nothing to do.
func (p *Provider) end() {
	p.mu.Lock()
	last := p.current
	p.current = nil
	p.mu.Unlock()
	if last != nil {
		last.close()
		p.client.Close()
	}
}
