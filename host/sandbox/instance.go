package sandbox

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/seam"
)

// What an engine calls, by index: the operations, and then these.
const (
	callInitialize = seam.OperationCount + iota
	callLoad
)

// calledExports are the names of what an engine calls.
func calledExports() []string {
	var names []string
	for _, op := range seam.Operations() {
		names = append(names, abi.OperationExport(op))
	}
	return append(names, abi.ExportInitialize, abi.ExportLoad)
}

// instance is a module in its memory, loaded. One query at a time has it.
type instance struct {
	guest  *guest
	engine engine.Instance
	stack  [2]uint64
	idle   time.Time // since when nobody uses it
}

// start makes an instance and loads it. That is nobody's query: whoever waits may leave.
func (s *space) start() (i *instance, took time.Duration, failure *startFailure) {
	p := s.provider
	began := time.Now()
	ends := began.Add(p.config.Limits.LoadTimeout)
	ctx, cancel := context.WithDeadlineCause(p.lifetime, ends, p.loadLimit)
	defer cancel()
	i = &instance{guest: &guest{space: s}}
	defer func() {
		if bug := recover(); bug != nil {
			failure = &startFailure{err: seam.Errorf(seam.CodeInternal, "a bug of navseam: %v\n%s", bug, debug.Stack())}
		}
		if failure != nil {
			i.close()
			i = nil
		}
	}()
	r := run{what: "the start function", ctx: ctx, began: began}
	i.guest.enter(ctx, abi.InInitialize, ends, nil)
	defer i.guest.leave()
	status, err := i.load(s.release, &r)
	took = time.Since(began)
	if err != nil {
		coded, counts := p.fault(r, i, err)
		s.ended(r, endOf(coded))
		return i, took, &startFailure{err: coded, counts: counts}
	}
	s.ended(r, int32(status))
	switch status {
	case abi.Done:
		return i, took, nil
	case abi.Unavailable:
		return i, took, &startFailure{err: p.answered(r.what, status, i.guest.message), absent: true}
	default:
		said := i.guest.message
		if said == "" {
			said = fmt.Sprintf("it returned %d", status)
		}
		return i, took, &startFailure{err: p.answered(r.what, abi.Failed, said), counts: true}
	}
}

// startFailure says why there is no instance.
type startFailure struct {
	err    *seam.Error
	counts bool // against the module
	absent bool // what the module needs is not there now
}

// load runs what comes before the first operation: the start function, _initialize, load.
func (i *instance) load(r *release, now *run) (abi.Status, error) {
	var err error
	if i.engine, err = r.code.Instantiate(now.ctx, i.guest); err != nil {
		return 0, err
	}
	if r.report.Initialize {
		now.what = abi.ExportInitialize
		if err := i.engine.Call(now.ctx, callInitialize, i.stack[:]); err != nil {
			return 0, err
		}
	}
	if !r.report.Load {
		return abi.Done, nil
	}
	now.what = abi.ExportLoad
	i.guest.phase = abi.InLoad
	if err := i.engine.Call(now.ctx, callLoad, i.stack[:]); err != nil {
		return 0, err
	}
	return abi.Status(int32(uint32(i.stack[0]))), nil
}

func (i *instance) close() {
	i.guest.end()
	if i.engine != nil {
		i.engine.Close()
	}
}
