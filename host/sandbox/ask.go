package sandbox

import (
	"context"
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/seam"
)

// ask is the way of one question: workspace, document, instance, call, answer.
func (p *Provider) ask(ctx context.Context, op seam.Operation, t seam.Target) (*answer, Root, error) {
	r, err := p.begin()
	if err != nil {
		return nil, Root{}, err
	}
	defer p.finish(r)
	limited, cancel := p.bound(ctx)
	defer cancel()
	ctx = limited.Context
	if err := seam.ContextError(ctx); err != nil {
		return nil, Root{}, err
	}
	if !r.operations[op] {
		return nil, Root{}, seam.Errorf(seam.CodeUnsupportedOperation, "module %q does not have %s", p.config.ID, op)
	}
	if err := seam.CheckCoordinates(t.Position); err != nil {
		return nil, Root{}, err
	}
	root, err := p.workspaces.Root(ctx, t.WorkspaceRoot)
	if err != nil {
		return nil, Root{}, err
	}
	s, err := r.enter(ctx, root)
	if err != nil {
		return nil, Root{}, err
	}
	defer r.leave(s)
	document, err := s.documents.Find(ctx, t.FilePath)
	if err != nil {
		return nil, Root{}, err
	}
	i, err := s.take(ctx)
	if err != nil {
		return nil, Root{}, err
	}
	q := &query{operation: op, language: t.LanguageID, position: t.Position, document: document}
	if err := p.call(limited, s, i, q); err != nil {
		return nil, Root{}, err
	}
	return &q.answer, root, nil
}

// bound ends ctx with the provider, and at the deployment's limit where the caller sets
// none. The limits are timers that cancel it with their cause: one context is enough then.
func (p *Provider) bound(ctx context.Context) (bounded, context.CancelFunc) {
	_, hasDeadline := ctx.Deadline()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(p.lifetime, func() { cancel(context.Cause(p.lifetime)) })
	b := bounded{ctx, cancel}
	stopTimer := func() bool { return true }
	if !hasDeadline {
		stopTimer = b.endAfter(p.config.QueryTimeout, p.queryLimit)
	}
	return b, func() {
		stopTimer()
		stop()
		cancel(nil)
	}
}

// bounded is the context of a query, which limits can end.
type bounded struct {
	context.Context
	cancel context.CancelCauseFunc
}

// endAfter ends the context with that cause, unless it is stopped before.
func (b bounded) endAfter(d time.Duration, cause error) (stop func() bool) {
	return time.AfterFunc(d, func() { b.cancel(cause) }).Stop
}

// call runs the operation and judges what came of it. The instance goes back, or is
// discarded if its code did not return.
func (p *Provider) call(ctx bounded, s *space, i *instance, q *query) error {
	r := run{what: q.operation.String(), ctx: ctx.Context, began: time.Now()}
	ends := r.began.Add(p.config.Limits.CallTimeout)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(ends) {
		ends = deadline
	} else {
		stop := ctx.endAfter(p.config.Limits.CallTimeout, p.callLimit)
		defer stop()
	}
	status, message, err := i.call(r.ctx, ends, q)
	if err != nil {
		coded, counts := p.fault(r, i, err)
		if q.refused != nil && r.ctx.Err() == nil {
			coded, counts = seam.AsError(q.refused), false
		}
		s.discard(i, coded, counts)
		s.ended(r, endOf(coded))
		return coded
	}
	s.giveBack(i)
	s.ended(r, int32(status))
	if q.refused != nil {
		return p.withoutText(r, q)
	}
	if err := p.answered(r.what, status, message); err != nil {
		return err
	}
	if q.answer.wrong != "" {
		return seam.Errorf(seam.CodeMalformedResponse, "module %q gave a wrong answer to %s: %s", p.config.ID, r.what, q.answer.wrong)
	}
	return nil
}

// withoutText is the end of a query whose text was not served, whatever the module answered.
func (p *Provider) withoutText(r run, q *query) error {
	if r.ctx.Err() == nil {
		return q.refused
	}
	coded, _ := p.interrupted(r, time.Since(r.began))
	return coded
}

// call runs an operation of the instance.
func (i *instance) call(ctx context.Context, ends time.Time, q *query) (abi.Status, string, error) {
	phase := abi.InNavigation
	if q.operation == seam.OpHover {
		phase = abi.InHover
	}
	i.guest.enter(ctx, phase, ends, q)
	i.stack[0], i.stack[1] = uint64(uint32(q.position.Line)), uint64(uint32(q.position.Character))
	err := i.engine.Call(ctx, int(q.operation), i.stack[:])
	message := i.guest.message
	i.guest.leave()
	return abi.Status(int32(uint32(i.stack[0]))), message, err
}
