package stdio

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// query is the way of one question: workspace and project, turn, source, server, answer. The caller
// is back when ctx ends, whatever the server does.
func (p *Provider) query(ctx context.Context, op seam.Operation, t seam.Target) (seam.Result, error) {
	if !p.gate.Enter() {
		return nil, p.disposed()
	}
	defer p.gate.Leave()
	ctx, cancel := p.bound(ctx)
	defer cancel()
	if err := seam.ContextError(ctx); err != nil {
		return nil, err
	}
	sp, t, err := p.enter(ctx, t)
	if err != nil {
		return nil, err
	}
	defer p.pool.leave(sp)
	result, err := p.ask(ctx, sp, op, t)
	if err != nil {
		return nil, err
	}
	if found, ok := result.(seam.Locations); ok {
		allow(ctx, sp, found.Items)
	}
	return result, nil
}

// bound ends ctx with the provider, and at the deployment's limit where the caller sets
// none.
func (p *Provider) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	cancelLimit := context.CancelFunc(func() {})
	if _, has := ctx.Deadline(); !has {
		ctx, cancelLimit = context.WithTimeoutCause(ctx, p.config.QueryTimeout, &seam.Error{
			Code:      seam.CodeTimeout,
			Message:   fmt.Sprintf("server %q gave no answer within %s: try again, or raise limits.queryTimeoutMs", p.config.ID, p.config.QueryTimeout),
			Limit:     queryLimit,
			Retryable: true,
			Err:       context.DeadlineExceeded,
		})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(p.lifetime, func() { cancel(context.Cause(p.lifetime)) })
	return ctx, func() {
		stop()
		cancel(nil)
		cancelLimit()
	}
}

// queryLimit is the config key of the limit for callers without a deadline.
const queryLimit = "limits.queryTimeoutMs"

// allow lets the agent go on from the files outside the workspace that it is told of.
func allow(ctx context.Context, sp *space, items []seam.Location) {
	uris := make([]string, 0, len(items))
	for i, item := range items {
		if i == 0 || item.URI != items[i-1].URI {
			uris = append(uris, item.URI)
		}
	}
	sp.view.Allow(ctx, sp.home.Root(), uris...)
}

// maxRestarts is how often one query has its server started anew because files were deleted.
const maxRestarts = 3

// ask asks a server; once more when the server died, and when an answer may be the echo of a
// cancelled request; and a fresh one where the old one cannot know the disk as it is.
func (p *Provider) ask(ctx context.Context, sp *space, op seam.Operation, t seam.Target) (seam.Result, error) {
	var doubt seam.Result // an answer, for when there is no better
	retried, restarts := false, 0
	for {
		s, a, err := p.attempt(ctx, sp, op, t)
		if err != nil {
			return doubtOr(doubt, err)
		}
		a.query.Stay = restarts == maxRestarts
		result, err, held := p.run(ctx, s, a)
		if held { // the slot is given back when the server has settled
			p.pool.record(sp, err)
			if err != nil {
				return doubtOr(doubt, err)
			}
			return result, nil
		}
		if langserver.Outdated(err) {
			restarts++
			p.config.Log.Info("language server is replaced: it cannot learn what changed on disk", "server", p.config.ID, "root", sp.home.Root().Path())
			p.pool.replace(a.server)
			p.pool.release(s)
			continue
		}
		if !retried && a.mayRetry(result, err) {
			retried, doubt = true, result
			err = p.pool.settle(ctx, a.server, err)
			p.pool.release(s)
			if err != nil {
				return doubtOr(doubt, err)
			}
			continue
		}
		switch {
		case langserver.Lost(err):
			_ = p.pool.settle(ctx, a.server, err) // if ctx ends first, the watcher counts the death
		case err == nil && !doubtful(result, err):
			a.server.Trust(op)
		}
		p.pool.record(sp, err)
		p.pool.release(s)
		if err != nil {
			return doubtOr(doubt, err)
		}
		return result, nil
	}
}

// doubtOr returns a doubtful answer as one that may be wrong, if there is one.
func doubtOr(doubt seam.Result, err error) (seam.Result, error) {
	if doubt == nil {
		return nil, err
	}
	return langserver.Doubted(doubt), nil
}

// attempt waits for a slot whose server may be asked. A query that would need one more
// process than there may be gets back in line, if its workspace has one to wait for.
func (p *Provider) attempt(ctx context.Context, sp *space, op seam.Operation, t seam.Target) (*slot, attempt, error) {
	for {
		s, err := p.pool.take(ctx, sp)
		if err != nil {
			return nil, attempt{}, err
		}
		a, err := p.prepare(ctx, s, op, t)
		if err == nil {
			return s, a, nil
		}
		p.pool.release(s)
		if !errors.Is(err, errNoSeat) || !p.pool.mayWait(sp) {
			return nil, attempt{}, err
		}
	}
}

// attempt is one try of a question on one server.
type attempt struct {
	server *langserver.Server
	query  langserver.Query
}

// prepare reads the source as of now, and has a server that is started.
func (p *Provider) prepare(ctx context.Context, s *slot, op seam.Operation, t seam.Target) (attempt, error) {
	if err := seam.ContextError(ctx); err != nil {
		return attempt{}, err
	}
	source, err := readSource(ctx, s, t)
	if err != nil {
		return attempt{}, err
	}
	server, err := p.pool.server(s)
	if err != nil {
		return attempt{}, err
	}
	select {
	case <-server.Started():
	default:
		select {
		case <-server.Started():
		case <-ctx.Done():
			return attempt{}, seam.ContextError(ctx)
		}
		if source, err = readSource(ctx, s, t); err != nil { // a start takes seconds
			return attempt{}, err
		}
	}
	return attempt{server, langserver.Query{
		Operation: op, Position: t.Position, LanguageID: t.LanguageID, Source: source,
	}}, nil
}

func readSource(ctx context.Context, s *slot, t seam.Target) (workspace.Source, error) {
	source, err := s.space.view.Read(ctx, t.FilePath)
	if err != nil {
		return workspace.Source{}, err
	}
	return source, seam.CheckPosition(source.Text, t.Position)
}

// mayRetry reports whether a fresh server may do better: this one died, or it was told to
// cancel the same operation before and now answers with nothing or an internal error.
func (a attempt) mayRetry(result seam.Result, err error) bool {
	if langserver.Lost(err) {
		return true
	}
	return a.server.Suspect(a.query.Operation) && doubtful(result, err)
}

// outcome is what came of an attempt.
type outcome struct {
	result seam.Result
	err    error
}

// run asks and waits for the answer or the end of ctx. Held means that the server is still
// busy with what the caller gave up, and that the slot is released later. At a deadline the
// caller gets the latest answer that did not count yet, if there is one.
func (p *Provider) run(ctx context.Context, s *slot, a attempt) (result seam.Result, err error, held bool) {
	answered := make(chan outcome, 1)
	var draft atomic.Pointer[seam.Result]
	a.query.Draft = func(r seam.Result) { draft.Store(&r) }
	p.pool.watchers.Go(func() {
		var o outcome
		defer func() {
			if bug := recover(); bug != nil {
				o = outcome{nil, seam.Errorf(seam.CodeInternal, "a bug of navseam: %v\n%s", bug, debug.Stack())}
			}
			answered <- o
		}()
		o.result, o.err = a.server.Query(ctx, a.query)
	})
	select {
	case o := <-answered:
		return o.result, o.err, false
	case <-ctx.Done():
	}
	p.pool.abandoned(s, a.server, answered, p.config.patience())
	if latest := draft.Load(); latest != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return *latest, nil, true
	}
	return nil, seam.ContextError(ctx), true
}
