package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/seam"
)

// breach is a call of a host function that the ABI does not allow. It ends the guest.
type breach struct {
	function, what string
}

func (b *breach) Error() string { return fmt.Sprintf("%s: %s", b.function, b.what) }

func breachf(function, format string, args ...any) error {
	return &breach{function, fmt.Sprintf(format, args...)}
}

// exit is the end of a guest by proc_exit, with whatever code: a provider does not end.
type exit struct{ code uint32 }

func (e *exit) Error() string { return fmt.Sprintf("it ended itself with proc_exit(%d)", e.code) }

// run is guest code that runs, or ran.
type run struct {
	what  string          // "hover", "load", ...
	ctx   context.Context // that it ran under
	began time.Time
}

// limit is a bound of the deployment; its address is the cause with which a context ends
// that it ended.
type limit struct {
	key     string // under the module
	allowed time.Duration
}

func (l *limit) Error() string { return l.key + " passed" }

// fault gives the error with which guest code ended its code, and says whether it counts
// against the module.
func (p *Provider) fault(r run, i *instance, err error) (coded *seam.Error, counts bool) {
	var trap *engine.Trap
	var panicked *engine.PanicError
	var left *exit
	elapsed := time.Since(r.began).Round(time.Millisecond)
	switch {
	case errors.As(err, &panicked):
		p.log.Error("panic in a host function", "panic", panicked.Value, "stack", string(panicked.Stack))
		return seam.Errorf(seam.CodeInternal, "a bug of navseam, please report it: a host function that module %q called in %s panicked: %v", p.config.ID, r.what, panicked.Value), false
	case r.ctx.Err() != nil && errors.Is(err, engine.ErrInterrupted):
		return p.interrupted(r, elapsed)
	case errors.As(err, &trap):
		return p.failed(r, i, elapsed, "trapped", trap).WithReason(seam.ReasonTrap), true
	case errors.As(err, &left):
		return p.failed(r, i, elapsed, "was stopped", left).WithReason(seam.ReasonExit), true
	default:
		return p.failed(r, i, elapsed, "was stopped", err).WithReason(seam.ReasonBreach), true
	}
}

// interrupted tells whose the deadline was: that of a caller counts against nobody.
func (p *Provider) interrupted(r run, elapsed time.Duration) (coded *seam.Error, counts bool) {
	var l *limit
	if !errors.As(context.Cause(r.ctx), &l) {
		return seam.AsError(seam.ContextError(r.ctx)), false
	}
	e := seam.Errorf(seam.CodeTimeout, "module %q did not finish %s within %s, after %s: raise %s, or mend the module",
		p.config.ID, r.what, l.allowed, elapsed, p.key(l.key))
	e.Limit = p.key(l.key)
	e.Retryable = true
	e.Err = context.DeadlineExceeded
	return e, true
}

func (p *Provider) failed(r run, i *instance, elapsed time.Duration, how string, err error) *seam.Error {
	said := i.guest.output.said()
	if said != "" {
		said = "; it wrote to standard error: " + said
	}
	e := seam.Errorf(seam.CodeProviderFailed, "module %q %s in %s after %s: %w%s; %stell its author",
		p.config.ID, how, r.what, elapsed, err, said, p.short(i))
	e.Retryable = true
	return e
}

// short says what to do if the module ran out of memory, when it came so far that this may be.
func (p *Provider) short(i *instance) string {
	if i.engine == nil || int64(i.engine.MemorySize()) <= p.config.Limits.MemoryBytes/2 {
		return ""
	}
	return fmt.Sprintf("its memory has grown to %d bytes of the %d of %s: raise that if it ran out, or ",
		i.engine.MemorySize(), p.config.Limits.MemoryBytes, p.key("limits.memoryBytes"))
}

// answered maps the status of an operation or of load.
func (p *Provider) answered(what string, status abi.Status, message string) *seam.Error {
	said := ""
	if message != "" {
		said = ": " + message
	}
	switch status {
	case abi.Done:
		return nil
	case abi.Unsupported:
		return seam.Errorf(seam.CodeUnsupportedOperation, "module %q does not support %s here%s", p.config.ID, what, said)
	case abi.Unavailable:
		e := seam.Errorf(seam.CodeUnavailable, "module %q cannot answer %s now%s", p.config.ID, what, said)
		e.Retryable = true
		return e
	case abi.Failed:
		return seam.Errorf(seam.CodeProviderFailed, "module %q failed in %s%s", p.config.ID, what, said)
	default:
		return seam.Errorf(seam.CodeMalformedResponse, "module %q answered %s with status %d, which the ABI does not have%s", p.config.ID, what, status, said)
	}
}

// key names a key of the module's configuration.
func (p *Provider) key(name string) string { return "modules." + p.config.ID + "." + name }

func errClosed(id string) *seam.Error {
	return seam.Errorf(seam.CodeDisposed, "module %q is closed", id)
}
