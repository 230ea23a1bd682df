package engine

import (
	"runtime/debug"

	"github.com/navseam/navseam/abi"
)

// guest is the host's side of an instance: whom its host functions act for, and the first
// error that one of them had.
type guest struct {
	env   any
	fault error
}

// run calls a host function and reports whether the guest may go on. A panic must not
// reach the engine: wasmtime's frames lie between it and anyone who could recover.
func (g *guest) run(f *Function, memory []byte, stack []uint64) (ok bool) {
	defer func() {
		if value := recover(); value != nil {
			g.fail(&PanicError{value, debug.Stack()})
			ok = false
		}
	}()
	clearUpper(f.Signature.Params, stack)
	if err := f.Call(g.env, memory, stack); err != nil {
		g.fail(err)
		return false
	}
	clearUpper(f.Signature.Results, stack)
	return true
}

// clearUpper zeroes what lies above an i32 or f32: wazero's compiler leaves there what a
// register held, a guest's bytes, and its interpreter takes it for a part of a result.
func clearUpper(types []abi.ValueType, stack []uint64) {
	for n, t := range types {
		if t == abi.I32 || t == abi.F32 {
			stack[n] = uint64(uint32(stack[n]))
		}
	}
}

func (g *guest) fail(err error) {
	if g.fault == nil {
		g.fault = err
	}
}
