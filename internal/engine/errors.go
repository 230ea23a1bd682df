package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrInterrupted is what a call ends with when its context does: compare with errors.Is.
// The context's cause is wrapped beside it.
var ErrInterrupted = errors.New("interrupted")

var errClosed = errors.New("engine: the code or the instance is closed")

func interrupted(ctx context.Context) error {
	return fmt.Errorf("%w: %w", ErrInterrupted, context.Cause(ctx))
}

// The kinds of traps: what the guest did. They are the same on all engines.
const (
	TrapUnreachable   = "unreachable"
	TrapMemory        = "out of bounds memory access"
	TrapTable         = "out of bounds table access or null element"
	TrapDivideByZero  = "integer divide by zero"
	TrapOverflow      = "integer overflow"
	TrapConversion    = "invalid conversion to integer"
	TrapIndirectCall  = "indirect call type mismatch"
	TrapStackOverflow = "stack overflow"
	TrapOther         = "other"
)

// Trap is a fault of the guest, by the rules of WebAssembly.
type Trap struct {
	Kind   string // one of the constants
	Detail string // what the engine says of it: many lines, with the guest's functions
}

func (t *Trap) Error() string { return "trap: " + t.Kind }

// PanicError is a panic in a host function or in an engine: a bug of ours or of the engine,
// that a guest found.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v", p.Value) }
