package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

type wazeroInstance struct {
	guest
	code      *wazeroCode
	module    api.Module
	functions []api.Function // by index of Options.Exports; each has a stack, so not before it is called
}

// callContext carries the guest to the host functions: wazero hands them the very context
// that it was given. There is a new one for each call, since a goroutine of wazero may hold
// on to it for a moment longer.
type callContext struct {
	context.Context
	guest *guest
}

// Value hides what the caller's context has: wazero looks there for its experiments at each
// call.
func (*callContext) Value(any) any { return nil }

// Err knows one reason: wazero ends a call for no other.
func (c *callContext) Err() error {
	if c.Context.Err() == nil {
		return nil
	}
	return context.Canceled
}

// hostFault is the panic that takes the guest off the stack. The reason is in the guest.
type hostFault struct{}

func (w *wazeroCode) hostFunction(f *Function) api.GoModuleFunction {
	return api.GoModuleFunc(func(ctx context.Context, module api.Module, stack []uint64) {
		if !ctx.(*callContext).guest.run(f, w.memoryOf(module), stack) {
			panic(hostFault{})
		}
	})
}

// memoryOf must not ask a module without memory, which has a nil one that is not nil.
func (w *wazeroCode) memoryOf(module api.Module) []byte {
	if !w.memory {
		return nil
	}
	memory := module.Memory()
	all, _ := memory.Read(0, memory.Size())
	return all
}

// longCall is from when on a function is looked up anew for its next call: it keeps the stack
// of its deepest call, up to 400 MB beside the limit on memory, and to fill much takes time.
const longCall = 5 * time.Millisecond

func (i *wazeroInstance) Call(ctx context.Context, export int, stack []uint64) error {
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	function := i.functions[export]
	if function == nil {
		name := i.code.exports[export]
		if function = i.module.ExportedFunction(name); function == nil {
			return fmt.Errorf("engine: the module does not export the function %q", name)
		}
		i.functions[export] = function
	}
	began := time.Now()
	err := function.CallWithStack(&callContext{ctx, &i.guest}, stack)
	if time.Since(began) > longCall {
		i.functions[export] = nil
	}
	return i.outcome(ctx, err, wazeroCallError)
}

// outcome says what an error of wazero means. The end of ctx counts even if the guest came
// to its end: wazero may have closed the module at the same moment.
func (i *wazeroInstance) outcome(ctx context.Context, err error, meaning func(error) error) error {
	switch {
	case i.fault != nil:
		return i.fault
	case err != nil:
		return ended(ctx, err, meaning)
	case ctx.Err() != nil:
		return interrupted(ctx)
	default:
		return nil
	}
}

// ended tells what wazero ended from what the guest did.
func ended(ctx context.Context, err error, meaning func(error) error) error {
	var exit *sys.ExitError
	switch {
	case !errors.As(err, &exit):
		return meaning(err)
	case ctx.Err() != nil:
		return interrupted(ctx)
	default:
		return errClosed
	}
}

func (i *wazeroInstance) MemorySize() int { return len(i.code.memoryOf(i.module)) }

func (i *wazeroInstance) Close() { _ = i.module.Close(context.Background()) }
