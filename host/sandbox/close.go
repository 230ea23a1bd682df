package sandbox

import (
	"context"

	"github.com/navseam/navseam/seam"
)

// begin lets a query in and gives it the module as it is now, unless the provider is closed.
func (p *Provider) begin() (*release, error) {
	if !p.gate.Enter() {
		return nil, errClosed(p.config.ID)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current.users++
	return p.current, nil
}

func (p *Provider) finish(r *release) {
	p.drop(r)
	p.gate.Leave()
}

// hold keeps a release from being ended.
func (p *Provider) hold(r *release) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.users++
}

// drop is the end of a use.
func (p *Provider) drop(r *release) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.users--
	p.retire(r)
}

// retire ends a release that was replaced once nobody uses it. The lock is held.
func (p *Provider) retire(r *release) {
	if r != p.current && r.users == 0 {
		p.background.Go(r.close)
	}
}

// Drain closes the provider after the queries that have begun are answered, or when ctx
// ends, whichever is first.
func (p *Provider) Drain(ctx context.Context) error {
	p.gate.Shut()
	select {
	case <-p.gate.Empty():
	case <-ctx.Done():
	}
	return p.Close(ctx)
}

// Close ends the provider: queries that have begun fail with LSP_DISPOSED. It returns when
// nothing is left, or when ctx ends; the end then goes on without it.
func (p *Provider) Close(ctx context.Context) error {
	p.gate.Shut()
	p.dispose(errClosed(p.config.ID))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-p.gate.Empty()
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
