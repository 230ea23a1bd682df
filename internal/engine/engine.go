// Package engine runs WebAssembly code: one small interface over wazero's compiler, its
// interpreter and, in builds with the tag wasmtime, wasmtime. It knows nothing of
// providers: host functions and the thing they act for are given to it.
//
// A module that runs without end ends with its context only if its functions and loops
// have checks. wasmtime compiles them in. wazero has them in loops alone, so the code for
// it has passed through the rewriter of internal/wasm.
package engine

import (
	"context"
	"time"

	"github.com/navseam/navseam/abi"
)

// The engines, by the names that a deployment uses.
const (
	Wazero      = "wazero"             // compiles where it can, else interprets; pure Go
	Interpreter = "wazero-interpreter" // runs anywhere, slowly; pure Go
	Wasmtime    = "wasmtime"           // compiles; only in builds with the tag wasmtime
)

// MaxMemoryPages is the most that Options.MemoryPages can ask for: the whole 4 GiB less a
// page, so that a size fits 32 bits.
const MaxMemoryPages = 1<<16 - 1

// Function is a host function. Call gets the env of the instance that calls, the memory of
// that instance as it is now (nil if it exports none), and the arguments, which it
// overwrites with the result. The upper half of an i32 or f32 argument is zero, that of a
// result is ignored. It keeps neither memory nor stack. An error ends the guest's call: it is what
// [Instance.Call] or [Code.Instantiate] returns. A panic ends it with a [*PanicError].
type Function struct {
	Module, Name string
	Signature    abi.Signature
	Call         func(env any, memory []byte, stack []uint64) error
}

// Options say how a module is compiled and run.
type Options struct {
	Functions   []Function
	Exports     []string // the functions that will be called, by index; a missing one is never called
	MemoryPages uint32   // the most that an instance's memory may grow to
	CacheDir    string   // folder for compiled code, made with mode 0700; "" for none
}

// Code is a compiled module, for any number of goroutines. Its owner closes it when no
// instance is left; an instance that is left may fail from then on, and is closed all the
// same.
type Code interface {
	// Instantiate makes an instance and runs its start function. It fails with the error of
	// a host function, [ErrInterrupted], a [*Trap] (of the start function, or because a data
	// segment lies outside memory), or what the engine says of imports that do not fit.
	Instantiate(ctx context.Context, env any) (Instance, error)
	// Cached reports whether the code came from the cache.
	Cached() bool
	// Took is how long it took to compile it, or to load it from the cache.
	Took() time.Duration
	Close() error
}

// Instance is a module in its memory. One goroutine at a time calls it. After an error of
// Call it must not be called again.
type Instance interface {
	// Call calls the export with that index of Options.Exports. stack holds the arguments
	// and then, from its first element, the result, an i32 in the lower half of an element;
	// the upper half of a result means nothing. ctx ends the call; the error is then
	// [ErrInterrupted], also for a call that came to its end after ctx did.
	Call(ctx context.Context, export int, stack []uint64) error
	MemorySize() int
	// Close frees the instance. It is not closed during a call.
	Close()
}
