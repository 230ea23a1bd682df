package workspace

import (
	"context"
	"sync"

	"github.com/navseam/navseam/seam"
)

// Files runs file work off the caller's goroutine. The number of workers is
// bounded: when all of them hang, callers wait for one until their context ends.
type Files struct {
	slots chan struct{}

	mu        sync.Mutex
	abandoned int           // work that goes on although its caller left, or has none
	settled   chan struct{} // closes when abandoned is zero again; nil while it is
}

// NewFiles returns a Files that does at most that many things at a time.
func NewFiles(workers int) *Files {
	return &Files{slots: make(chan struct{}, max(workers, 1))}
}

// Wait returns when the work that callers abandoned has ended, or with the error of
// ctx. Whoever closes a provider waits here, so that nothing of it runs on.
func (f *Files) Wait(ctx context.Context) error {
	f.mu.Lock()
	settled := f.settled
	f.mu.Unlock()
	if settled == nil {
		return nil
	}
	select {
	case <-settled:
		return nil
	case <-ctx.Done():
		return seam.ContextError(ctx)
	}
}

// outcome is what work came to.
type outcome[T any] struct {
	value T
	err   error
}

// run does the work on a worker and returns what it came to, or leaves when ctx is
// done. The end of ctx wins over an error of the work, and work does not begin under
// a context that is done. A value that nobody waits for any more goes to drop, unless
// that is nil.
func run[T any](ctx context.Context, f *Files, work func() (T, error), drop func(T)) (T, error) {
	var none T
	if err := seam.ContextError(ctx); err != nil {
		return none, err
	}
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return none, seam.ContextError(ctx)
	}

	done := make(chan outcome[T]) // without buffer: either it is taken or the caller has left
	left := make(chan struct{})
	go func() {
		value, err := work()
		<-f.slots
		select {
		case done <- outcome[T]{value, err}:
		case <-left:
			if err == nil && drop != nil {
				drop(value)
			}
			f.settle()
		}
	}()

	select {
	case o := <-done:
		if o.err != nil && ctx.Err() != nil {
			return none, seam.ContextError(ctx)
		}
		return o.value, o.err
	case <-ctx.Done():
		f.abandon()
		close(left)
		return none, seam.ContextError(ctx)
	}
}

// background does work that nobody waits for but [Files.Wait]. It takes no worker: it
// gives something back, which must not wait for what hangs.
func (f *Files) background(work func()) {
	f.abandon()
	go func() {
		defer f.settle()
		work()
	}()
}

func (f *Files) abandon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.abandoned == 0 {
		f.settled = make(chan struct{})
	}
	f.abandoned++
}

func (f *Files) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.abandoned--
	if f.abandoned == 0 {
		close(f.settled)
		f.settled = nil
	}
}

// Do runs the work on a worker and waits for it, or leaves when ctx is done: then the work
// may go on, and what it uses is its own.
func (f *Files) Do(ctx context.Context, work func()) error {
	_, err := run(ctx, f, func() (struct{}, error) {
		work()
		return struct{}{}, nil
	}, nil)
	return err
}
