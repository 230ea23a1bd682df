package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/navseam/navseam/abi"
)

// wazeroCode has a runtime of its own, since a runtime has one limit for all its memories.
type wazeroCode struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
	exports  []string
	memory   bool // whether the module exports one
	cached   bool
	took     time.Duration
}

// wazeroFirst guards wazero's own memory of its version, which v1.12.0 writes without a
// lock when it is asked for it for the first time.
var wazeroFirst sync.Once

func compileWazero(name string, code []byte, o Options) (Code, error) {
	start := time.Now()
	wazeroFirst.Do(func() { _ = wazero.NewRuntime(context.Background()).Close(context.Background()) })
	compiled, err := compileWazeroCached(name, code, o)
	if err != nil {
		return nil, fmt.Errorf("%s: compile: %w", name, err)
	}
	if err := compiled.define(o.Functions); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: host functions: %w", name, err), compiled.Close())
	}
	compiled.took = time.Since(start)
	return compiled, nil
}

// compileWazeroIn compiles with the files of a folder, "" for none.
func compileWazeroIn(folder, name string, code []byte, o Options) (_ *wazeroCode, err error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig()
	if name == Interpreter {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	config = config.
		WithCoreFeatures(api.CoreFeaturesV2).
		WithMemoryLimitPages(o.MemoryPages).
		WithCloseOnContextDone(true)

	w := &wazeroCode{exports: o.Exports}
	if folder != "" {
		if w.cache, err = wazero.NewCompilationCacheWithDir(folder); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(w.cache)
	}
	w.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	w.compiled, err = w.runtime.CompileModule(ctx, code)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	_, w.memory = w.compiled.ExportedMemories()[abi.ExportMemory]
	return w, nil
}

// define makes the host functions known to the runtime, once for all instances.
func (w *wazeroCode) define(functions []Function) error {
	ctx := context.Background()
	modules := map[string]wazero.HostModuleBuilder{}
	for i := range functions {
		f := &functions[i]
		builder := modules[f.Module]
		if builder == nil {
			builder = w.runtime.NewHostModuleBuilder(f.Module)
			modules[f.Module] = builder
		}
		builder.NewFunctionBuilder().
			WithGoModuleFunction(w.hostFunction(f), wazeroTypes(f.Signature.Params), wazeroTypes(f.Signature.Results)).
			Export(f.Name)
	}
	for name, builder := range modules {
		if _, err := builder.Instantiate(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func wazeroTypes(types []abi.ValueType) []api.ValueType {
	all := make([]api.ValueType, len(types))
	for i, t := range types {
		all[i] = api.ValueType(t) // both are the codes of the binary format
	}
	return all
}

func (w *wazeroCode) Instantiate(ctx context.Context, env any) (_ Instance, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, debug.Stack()}
		}
	}()
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	instance := &wazeroInstance{code: w, guest: guest{env: env}, functions: make([]api.Function, len(w.exports))}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	module, err := w.runtime.InstantiateModule(&callContext{ctx, &instance.guest}, w.compiled, config)
	if err := instance.outcome(ctx, err, wazeroInstantiateError); err != nil {
		if module != nil {
			_ = module.Close(context.Background())
		}
		return nil, err
	}
	instance.module = module
	return instance, nil
}

func (w *wazeroCode) Cached() bool        { return w.cached }
func (w *wazeroCode) Took() time.Duration { return w.took }

// Close ends the runtime, and with it every instance that is left, before the compiled code
// that they run, which wazero keeps until nothing refers to it.
func (w *wazeroCode) Close() error {
	err := w.runtime.Close(context.Background())
	if w.cache != nil {
		err = errors.Join(err, w.cache.Close(context.Background()))
	}
	return err
}
