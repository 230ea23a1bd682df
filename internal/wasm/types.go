package wasm

import "github.com/navseam/navseam/abi"

// The types beyond numbers.
const (
	v128      abi.ValueType = 0x7b
	funcref   abi.ValueType = 0x70
	externref abi.ValueType = 0x6f
)

// valueType reads a type. Those of refused features end the section or function.
func (r *reader) valueType(what string) abi.ValueType {
	at := r.pos
	t := abi.ValueType(r.byte(what))
	switch t {
	case abi.I32, abi.I64, abi.F32, abi.F64, v128, funcref, externref:
	case 0x63, 0x64: // (ref null T), (ref T)
		r.uses(FunctionReferences)
	case 0x69, 0x74: // exnref
		r.uses(Exceptions)
	case 0x68, 0x75: // contref
		r.uses(StackSwitching)
	case 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x71, 0x72, 0x73, 0x77, 0x78: // from arrayref to i16
		r.uses(GC)
	default:
		r.fail(at, "%s is no value type: %#x", what, byte(t))
	}
	return t
}

func (r *reader) valueTypes(what string) []abi.ValueType {
	n := r.count(what, 1)
	if n == 0 {
		return nil
	}
	types := make([]abi.ValueType, n)
	for i := range types {
		types[i] = r.valueType("the type of one of the " + what)
	}
	return types
}

func (r *reader) types() {
	n := r.items("types", 2)
	for i := 0; i < n && r.reading(); i++ {
		at := r.pos
		switch form := r.byte("the form of a type"); form {
		case 0x60:
			r.m.Types = append(r.m.Types, abi.Signature{Params: r.valueTypes("parameters"), Results: r.valueTypes("results")})
		case 0x4e, 0x4f, 0x50, 0x5e, 0x5f: // rec, sub final, sub, array, struct
			r.uses(GC)
		case 0x5d:
			r.uses(StackSwitching)
		default:
			r.fail(at, "a type begins with %#x, a function type with 0x60", form)
		}
	}
}

// limits reads those of a memory or table.
func (r *reader) limits(what string, memory bool) Limits {
	at := r.pos
	flags := r.byte("the limits of " + what)
	l := Limits{HasMax: flags&1 != 0, Shared: flags&2 != 0, Is64: flags&4 != 0}
	switch {
	case flags > 15 || flags > 7 && !memory:
		r.fail(at, "%s has limits of an unknown form: %#x", what, flags)
	case flags > 7:
		r.uses(CustomPageSizes)
	}
	if l.Shared {
		r.m.uses(Threads)
	}
	bits := uint(32)
	if l.Is64 {
		r.m.uses(Memory64)
		bits = 64
	}
	l.Min = r.unsigned(bits, "the minimum of "+what)
	if l.HasMax {
		l.Max = r.unsigned(bits, "the maximum of "+what)
		if r.ok() && l.Max < l.Min {
			r.fail(at, "%s has a minimum of %d, larger than its maximum of %d", what, l.Min, l.Max)
		}
	}
	return l
}
