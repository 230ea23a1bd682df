package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

// Names returns the engines of this build.
func Names() []string {
	names := []string{Wazero, Interpreter}
	if hasWasmtime {
		names = append(names, Wasmtime)
	}
	return names
}

// Compile makes code ready to run on the engine with that name. No engine can be stopped
// while it compiles: when ctx ends Compile returns [ErrInterrupted] at once, and the work
// goes on by itself to its end, fills the cache, and is thrown away. The caller leaves code
// as it is.
func Compile(ctx context.Context, name string, code []byte, o Options) (Code, error) {
	if !slices.Contains(Names(), name) {
		return nil, unknownEngine(name)
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	o.MemoryPages = min(o.MemoryPages, MaxMemoryPages)
	o.Exports = slices.Clone(o.Exports)
	o.Functions = slices.Clone(o.Functions)
	compiled, _, err := await(ctx, func() (Code, error) { return compileNow(name, code, o) })
	return compiled, err
}

// await returns what compile makes, or ErrInterrupted when ctx ends; then it closes what
// compile makes. The channel is closed when nothing of it runs any more.
func await(ctx context.Context, compile func() (Code, error)) (Code, <-chan struct{}, error) {
	type result struct {
		code Code
		err  error
	}
	var (
		results   = make(chan result)
		abandoned = make(chan struct{})
		done      = make(chan struct{})
	)
	go func() {
		defer close(done)
		code, err := compile()
		select {
		case results <- result{code, err}:
		case <-abandoned:
			if err == nil {
				_ = code.Close()
			}
		}
	}()
	select {
	case r := <-results:
		return r.code, done, r.err
	case <-ctx.Done():
		close(abandoned)
		return nil, done, interrupted(ctx)
	}
}

// compileNow survives a panic of a compiler, which must not take the process with it.
func compileNow(name string, code []byte, o Options) (_ Code, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s: compile: %w", name, &PanicError{value, debug.Stack()})
		}
	}()
	if name == Wasmtime {
		return compileWasmtime(code, o)
	}
	return compileWazero(name, code, o)
}

func unknownEngine(name string) error {
	if name == Wasmtime {
		return fmt.Errorf("engine %q is not in this build: build with -tags wasmtime and CGO_ENABLED=1", name)
	}
	return fmt.Errorf("there is no engine %q: use one of %s", name, strings.Join(Names(), ", "))
}
