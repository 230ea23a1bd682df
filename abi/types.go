package abi

import (
	"slices"
	"strings"
)

// ValueType is a WebAssembly number type, with its code in the binary format.
type ValueType byte

// The number types. No function of the ABI takes or returns another.
const (
	I32 ValueType = 0x7f
	I64 ValueType = 0x7e
	F32 ValueType = 0x7d
	F64 ValueType = 0x7c
)

// String returns the name in the text format.
func (v ValueType) String() string {
	switch v {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case 0x7b:
		return "v128"
	case 0x70:
		return "funcref"
	case 0x6f:
		return "externref"
	default:
		return "unknown type"
	}
}

// Signature is the type of a function.
type Signature struct {
	Params, Results []ValueType
}

// String returns "(i32, i32) -> i32"; a function without results is "(i32) -> ()".
func (s Signature) String() string {
	results := list(s.Results)
	if len(s.Results) != 1 {
		results = "(" + results + ")"
	}
	return "(" + list(s.Params) + ") -> " + results
}

func list(types []ValueType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// Equal reports whether both are the same type.
func (s Signature) Equal(other Signature) bool {
	return slices.Equal(s.Params, other.Params) && slices.Equal(s.Results, other.Results)
}

// signature reads the short form of the tables: a letter a type, i for i32 and I for i64,
// with a colon before the results.
func signature(short string) Signature {
	params, results, _ := strings.Cut(short, ":")
	return Signature{types(params), types(results)}
}

func types(short string) []ValueType {
	var all []ValueType
	for _, letter := range short {
		switch letter {
		case 'i':
			all = append(all, I32)
		case 'I':
			all = append(all, I64)
		}
	}
	return all
}
