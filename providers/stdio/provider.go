package stdio

import (
	"context"
	"os"

	"github.com/navseam/navseam/internal/gate"
	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/seam"
)

// Provider answers with a language server. It implements [seam.Provider].
type Provider struct {
	config  Config
	server  langserver.Config
	dropped []string // variables that the scrub took out
	pool    *Pool

	lifetime context.Context // ends, with LSP_DISPOSED, when the provider is closed
	dispose  context.CancelCauseFunc
	gate     *gate.Gate // queries that have begun
}

var _ seam.Provider = (*Provider)(nil)

// New finds the executable and makes a provider of it. No process is started before the
// first query.
func New(config Config, pool *Pool) (*Provider, error) {
	env, dropped := Environment(os.Environ(), config.EnvAllow, config.Env)
	executable, err := Executable(config.Command, env)
	if err != nil {
		return nil, seam.Errorf(seam.CodeInvalidConfig, "server %q: %w", config.ID, err).WithReason(seam.AsError(err).Reason)
	}
	server, err := config.server(executable, env)
	if err != nil {
		return nil, err
	}
	lifetime, dispose := context.WithCancelCause(context.Background())
	return &Provider{
		config:   config,
		server:   server,
		dropped:  dropped,
		pool:     pool,
		lifetime: lifetime,
		dispose:  dispose,
		gate:     gate.New(),
	}, nil
}

// ID is the name of the server in the deployment's configuration.
func (p *Provider) ID() string { return p.config.ID }

// Routes says which files the server is asked about.
func (p *Provider) Routes() seam.Routes { return p.config.Routes }

// GoToDefinition answers with where the symbol at the position is defined.
func (p *Provider) GoToDefinition(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return p.locations(ctx, seam.OpGoToDefinition, t)
}

// FindReferences answers with all uses of the symbol, its declaration included.
func (p *Provider) FindReferences(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return p.locations(ctx, seam.OpFindReferences, t)
}

// GoToImplementation answers with what implements the symbol.
func (p *Provider) GoToImplementation(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return p.locations(ctx, seam.OpGoToImplementation, t)
}

// Hover answers with what the server says about the symbol.
func (p *Provider) Hover(ctx context.Context, t seam.Target) (seam.HoverResult, error) {
	result, err := p.query(ctx, seam.OpHover, t)
	if err != nil {
		return seam.HoverResult{}, err
	}
	return result.(seam.HoverResult), nil
}

func (p *Provider) locations(ctx context.Context, op seam.Operation, t seam.Target) (seam.Locations, error) {
	result, err := p.query(ctx, op, t)
	if err != nil {
		return seam.Locations{}, err
	}
	return result.(seam.Locations), nil
}

func (p *Provider) disposed() error {
	return seam.Errorf(seam.CodeDisposed, "server %q is closed", p.config.ID)
}

// isClosed reports whether the servers are being ended for good.
func (p *Provider) isClosed() bool { return p.lifetime.Err() != nil }

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

// Close ends the provider: queries that have begun fail with LSP_DISPOSED, and the servers
// are ended. It returns when nothing of them is left, with an error that names the
// processes that could not be ended, or when ctx ends; the end then goes on without it.
func (p *Provider) Close(ctx context.Context) error {
	p.gate.Shut()
	p.dispose(p.disposed())
	if err := p.pool.evict(ctx, p); err != nil {
		return err
	}
	select {
	case <-p.gate.Empty():
		return nil
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
}
