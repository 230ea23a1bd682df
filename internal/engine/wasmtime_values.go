//go:build wasmtime && cgo

package engine

import (
	"math"

	"github.com/bytecodealliance/wasmtime-go/v39"

	"github.com/navseam/navseam/abi"
)

// The stack holds what wazero's does: an i32 with its upper half zero, a float's bits.

func wasmtimeArgument(kind wasmtime.ValKind, word uint64) any {
	switch kind {
	case wasmtime.KindI32:
		return int32(word)
	case wasmtime.KindF32:
		return math.Float32frombits(uint32(word))
	case wasmtime.KindF64:
		return math.Float64frombits(word)
	default:
		return int64(word)
	}
}

func wasmtimeWord(value any) uint64 {
	switch v := value.(type) {
	case int32:
		return uint64(uint32(v))
	case int64:
		return uint64(v)
	case float32:
		return uint64(math.Float32bits(v))
	case float64:
		return math.Float64bits(v)
	default:
		return 0 // a reference, which no function of ours takes or returns
	}
}

func wasmtimeValue(t abi.ValueType, word uint64) wasmtime.Val {
	switch t {
	case abi.I32:
		return wasmtime.ValI32(int32(word))
	case abi.F32:
		return wasmtime.ValF32(math.Float32frombits(uint32(word)))
	case abi.F64:
		return wasmtime.ValF64(math.Float64frombits(word))
	default:
		return wasmtime.ValI64(int64(word))
	}
}

func wasmtimeType(s abi.Signature) *wasmtime.FuncType {
	return wasmtime.NewFuncType(wasmtimeTypes(s.Params), wasmtimeTypes(s.Results))
}

func wasmtimeTypes(types []abi.ValueType) []*wasmtime.ValType {
	all := make([]*wasmtime.ValType, len(types))
	for i, t := range types {
		kind := wasmtime.KindI64
		switch t {
		case abi.I32:
			kind = wasmtime.KindI32
		case abi.F32:
			kind = wasmtime.KindF32
		case abi.F64:
			kind = wasmtime.KindF64
		}
		all[i] = wasmtime.NewValType(kind)
	}
	return all
}

func wasmtimeKinds(types []*wasmtime.ValType) []wasmtime.ValKind {
	all := make([]wasmtime.ValKind, len(types))
	for i, t := range types {
		all[i] = t.Kind()
	}
	return all
}
