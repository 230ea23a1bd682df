//go:build wasmtime && cgo

package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/bytecodealliance/wasmtime-go/v39"

	"github.com/navseam/navseam/abi"
)

// wasmtimeTableElements bounds all tables of an instance; they lie outside its memory.
const wasmtimeTableElements = 10_000_000

// wasmtimeInstance has its own engine, so that its epoch is its own. What has a Close is
// closed by us and not by a finalizer: the collector does not know how much it holds.
type wasmtimeInstance struct {
	guest
	code       *wasmtimeCode
	engine     *wasmtime.Engine
	store      *wasmtime.Store
	module     *wasmtime.Module
	memory     *wasmtime.Memory // nil while the start function runs, or if there is none
	functions  []*wasmtime.Func // by index of Options.Exports
	arguments  []any            // of the call that runs
	moved      chan struct{}    // has the epoch been moved; with room for one
	signatures []*wasmtime.FuncType
}

func (w *wasmtimeCode) Instantiate(ctx context.Context, env any) (_ Instance, err error) {
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	engine := newWasmtimeEngine()
	i := &wasmtimeInstance{
		guest: guest{env: env}, code: w, engine: engine, store: wasmtime.NewStore(engine),
		functions: make([]*wasmtime.Func, len(w.exports)),
		moved:     make(chan struct{}, 1),
	}
	defer func() {
		if err != nil {
			i.Close()
		}
	}()
	i.store.Limiter(int64(w.memoryPages)<<16, wasmtimeTableElements, 1, -1, 1)
	if i.module, err = w.image.load(engine); err != nil {
		return nil, fmt.Errorf("instantiate: %w", err)
	}
	imports, err := i.imports()
	if err != nil {
		return nil, err
	}
	var instance *wasmtime.Instance
	err = i.enter(ctx, func() (err error) {
		instance, err = wasmtime.NewInstance(i.store, i.module, imports)
		return err
	})
	if err != nil {
		return nil, err
	}
	i.resolve(instance)
	return i, nil
}

// resolve finds the exports once.
func (i *wasmtimeInstance) resolve(instance *wasmtime.Instance) {
	i.memory = memoryOf(instance.GetExport(i.store, abi.ExportMemory))
	for n, e := range i.code.exports {
		if e.known {
			i.functions[n] = instance.GetFunc(i.store, e.name)
		}
	}
}

func memoryOf(export *wasmtime.Extern) *wasmtime.Memory {
	if export == nil {
		return nil
	}
	defer export.Close()
	return export.Memory()
}

func (i *wasmtimeInstance) imports() ([]wasmtime.AsExtern, error) {
	imports := make([]wasmtime.AsExtern, len(i.code.imports))
	for n, imported := range i.code.imports {
		if imported.function == nil {
			return nil, fmt.Errorf("instantiate: there is no host function %s", imported.name)
		}
		imports[n] = i.hostFunction(imported.function)
	}
	return imports, nil
}

func (i *wasmtimeInstance) hostFunction(f *Function) *wasmtime.Func {
	signature := wasmtimeType(f.Signature)
	i.signatures = append(i.signatures, signature) // wasmtime-go looks there for the results at each call
	stack := make([]uint64, max(len(f.Signature.Params), len(f.Signature.Results)))
	values := make([]wasmtime.Val, len(f.Signature.Results))
	return wasmtime.NewFunc(i.store, signature, func(caller *wasmtime.Caller, arguments []wasmtime.Val) ([]wasmtime.Val, *wasmtime.Trap) {
		for n := range arguments {
			stack[n] = wasmtimeWord(arguments[n].Get())
		}
		if !i.run(f, i.memoryFor(caller), stack) {
			return nil, wasmtime.NewTrap("host function")
		}
		for n, t := range f.Signature.Results {
			values[n] = wasmtimeValue(t, stack[n])
		}
		return values, nil
	})
}

func (i *wasmtimeInstance) memoryFor(caller *wasmtime.Caller) []byte {
	memory := i.memory
	if memory == nil {
		if memory = memoryOf(caller.GetExport(abi.ExportMemory)); memory == nil {
			return nil
		}
	}
	return memory.UnsafeData(caller)
}

func (i *wasmtimeInstance) Call(ctx context.Context, export int, stack []uint64) error {
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	function := i.functions[export]
	if function == nil {
		return fmt.Errorf("engine: the module does not export the function %q", i.code.exports[export].name)
	}
	i.arguments = i.arguments[:0]
	for n, kind := range i.code.exports[export].params {
		i.arguments = append(i.arguments, wasmtimeArgument(kind, stack[n]))
	}
	return i.enter(ctx, func() error {
		result, err := function.Call(i.store, i.arguments...)
		if err == nil && result != nil {
			stack[0] = wasmtimeWord(result)
		}
		return err
	})
}

// enter runs guest code and says how it ended. The end of ctx moves the engine's epoch to
// the store's deadline.
func (i *wasmtimeInstance) enter(ctx context.Context, run func() error) error {
	i.store.SetEpochDeadline(1)
	stop := context.AfterFunc(ctx, i.interrupt)
	err := recovered(run)
	if !stop() {
		<-i.moved // the engine may be closed once we return
	}
	switch {
	case i.fault != nil:
		return i.fault
	case err != nil:
		return wasmtimeError(ctx, err)
	case ctx.Err() != nil:
		return interrupted(ctx)
	default:
		return nil
	}
}

func (i *wasmtimeInstance) interrupt() {
	i.engine.IncrementEpoch()
	i.moved <- struct{}{}
}

// recovered turns a panic of wasmtime-go itself into an error.
func recovered(run func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, debug.Stack()}
		}
	}()
	return run()
}

func wasmtimeError(ctx context.Context, err error) error {
	var trap *wasmtime.Trap
	if !errors.As(err, &trap) {
		return fmt.Errorf("wasmtime: %w", err)
	}
	defer trap.Close()
	code := trap.Code()
	if code == nil {
		return &Trap{TrapOther, trap.Message()}
	}
	if *code == wasmtime.Interrupt {
		return interrupted(ctx)
	}
	return &Trap{wasmtimeTrapKind(*code), trap.Message()}
}

func wasmtimeTrapKind(code wasmtime.TrapCode) string {
	switch code {
	case wasmtime.UnreachableCodeReached:
		return TrapUnreachable
	case wasmtime.MemoryOutOfBounds:
		return TrapMemory
	case wasmtime.TableOutOfBounds, wasmtime.IndirectCallToNull:
		return TrapTable
	case wasmtime.IntegerDivisionByZero:
		return TrapDivideByZero
	case wasmtime.IntegerOverflow:
		return TrapOverflow
	case wasmtime.BadConversionToInteger:
		return TrapConversion
	case wasmtime.BadSignature:
		return TrapIndirectCall
	case wasmtime.StackOverflow:
		return TrapStackOverflow
	default:
		return TrapOther
	}
}

func (i *wasmtimeInstance) MemorySize() int {
	if i.memory == nil {
		return 0
	}
	return int(i.memory.DataSize(i.store))
}

func (i *wasmtimeInstance) Close() {
	i.memory, i.functions = nil, nil
	i.store.Close()
	for _, signature := range i.signatures {
		signature.Close()
	}
	i.signatures = nil
	if i.module != nil {
		i.module.Close()
	}
	i.engine.Close()
}
