package sandbox

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/internal/gate"
	"github.com/navseam/navseam/seam"
)

// Engines returns the names of the engines of this build.
func Engines() []string { return engine.Names() }

// Provider answers with a module. It implements [seam.Provider]. Its owner calls Close.
type Provider struct {
	config      Config
	settings    string   // what the module reads as its config
	sourceRoots []string // as given, and their real paths
	client      *egress.Client
	workspaces  Workspaces
	log         *slog.Logger
	born        time.Time
	queryLimit  *seam.Error
	callLimit   *limit
	loadLimit   *limit

	lifetime   context.Context // ends, with LSP_DISPOSED, when the provider is closed
	dispose    context.CancelCauseFunc
	gate       *gate.Gate     // queries that have begun
	background sync.WaitGroup // starts of instances, ends of releases, the watch

	mu         sync.Mutex
	current    *release
	replaced   int
	replaceErr error
}

var _ seam.Provider = (*Provider)(nil)

// New reads the module's file, checks it and compiles it. No code of the module runs before
// the first query. It fails with LSP_INVALID_CONFIG when the file is not a module that the
// configuration admits. Compiling cannot be stopped: when ctx ends, New returns, and what it
// began ends by itself.
func New(ctx context.Context, config Config, workspaces Workspaces) (*Provider, error) {
	client, err := egress.New(config.Grants.HTTP)
	if err != nil {
		return nil, seam.Errorf(seam.CodeInvalidConfig, "module %q: grants.http: %w", config.ID, err)
	}
	p := &Provider{
		config:      config,
		settings:    string(config.Settings),
		sourceRoots: realRoots(config.SourceRoots),
		client:      client,
		workspaces:  workspaces,
		log:         slog.New(slog.DiscardHandler),
		born:        time.Now(),
		queryLimit:  queryLimit(config),
		callLimit:   &limit{"limits.callTimeoutMs", config.Limits.CallTimeout},
		loadLimit:   &limit{"limits.loadTimeoutMs", config.Limits.LoadTimeout},
		gate:        gate.New(),
	}
	if p.settings == "" {
		p.settings = "{}"
	}
	if config.Log != nil {
		p.log = config.Log.With("module", config.ID)
	}
	p.lifetime, p.dispose = context.WithCancelCause(context.Background())
	p.current, err = p.load(ctx)
	if err != nil {
		p.dispose(err)
		client.Close()
		return nil, err
	}
	p.background.Go(p.watch)
	return p, nil
}

// queryLimit is the error of a query whose caller sets no deadline.
func queryLimit(c Config) *seam.Error {
	e := seam.Errorf(seam.CodeTimeout, "module %q gave no answer within %s: try again, or raise limits.queryTimeoutMs", c.ID, c.QueryTimeout)
	e.Limit, e.Retryable, e.Err = "limits.queryTimeoutMs", true, context.DeadlineExceeded
	return e
}

// realRoots are the folders as they are named and as they really are: a module may know
// them by either.
func realRoots(folders []string) []string {
	var roots []string
	for _, folder := range folders {
		roots = append(roots, filepath.Clean(folder))
		if real, err := filepath.EvalSymlinks(folder); err == nil && real != filepath.Clean(folder) {
			roots = append(roots, real)
		}
	}
	return roots
}

// ID is the name of the module in the deployment's configuration.
func (p *Provider) ID() string { return p.config.ID }

// Routes says which files the module is asked about.
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

// Hover answers with what the module says about the symbol.
func (p *Provider) Hover(ctx context.Context, t seam.Target) (seam.HoverResult, error) {
	answer, _, err := p.ask(ctx, seam.OpHover, t)
	if err != nil {
		return seam.HoverResult{}, err
	}
	return answer.hoverResult(p.config.Complete), nil
}

func (p *Provider) locations(ctx context.Context, op seam.Operation, t seam.Target) (seam.Locations, error) {
	answer, root, err := p.ask(ctx, op, t)
	if err != nil {
		return seam.Locations{}, err
	}
	return seam.Locations{Items: answer.items, WorkspaceURI: root.URI, Completeness: answer.completeness(p.config.Complete)}, nil
}

// Start has an instance ready in a workspace, without a question.
func (p *Provider) Start(ctx context.Context, workspaceRoot string) error {
	r, err := p.begin()
	if err != nil {
		return err
	}
	defer p.finish(r)
	ctx, cancel := p.bound(ctx)
	defer cancel()
	root, err := p.workspaces.Root(ctx, workspaceRoot)
	if err != nil {
		return err
	}
	s, err := r.enter(ctx, root)
	if err != nil {
		return err
	}
	defer r.leave(s)
	i, err := s.take(ctx)
	if err != nil {
		return err
	}
	s.giveBack(i)
	return nil
}
