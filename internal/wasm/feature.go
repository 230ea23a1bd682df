package wasm

import "slices"

// Feature is something beyond WebAssembly 2.0 that is refused.
type Feature uint8

// The features.
const (
	Memory64 Feature = iota
	Threads
	MultipleMemories
	TailCalls
	Exceptions
	GC
	FunctionReferences
	RelaxedSIMD
	ExtendedConst
	StackSwitching
	WideArithmetic
	CustomPageSizes
)

// String names the feature, to follow "uses".
func (f Feature) String() string {
	return [...]string{
		Memory64:           "64-bit memory or tables (memory64)",
		Threads:            "threads (shared memory or atomics)",
		MultipleMemories:   "multiple memories",
		TailCalls:          "tail calls",
		Exceptions:         "exceptions",
		GC:                 "garbage-collected types (GC)",
		FunctionReferences: "typed function references",
		RelaxedSIMD:        "relaxed SIMD",
		ExtendedConst:      "extended constant expressions",
		StackSwitching:     "stack switching",
		WideArithmetic:     "wide arithmetic",
		CustomPageSizes:    "custom page sizes",
	}[f]
}

// Hint says how to build without it.
func (f Feature) Hint() string {
	return [...]string{
		Memory64:           "build for wasm32",
		Threads:            "build without -pthread, with -mno-atomics, and link without --shared-memory",
		MultipleMemories:   "build with -mno-multimemory, with one memory",
		TailCalls:          "build with -mno-tail-call",
		Exceptions:         "build with -fno-exceptions and -mno-exception-handling, with Rust -C panic=abort",
		GC:                 "compile to linear memory; a language whose objects live in the engine's heap does not work here",
		FunctionReferences: "build without function references",
		RelaxedSIMD:        "build with -mno-relaxed-simd",
		ExtendedConst:      "build with -mno-extended-const",
		StackSwitching:     "build without stack switching",
		WideArithmetic:     "build with -mno-wide-arithmetic",
		CustomPageSizes:    "build with pages of 64 KiB",
	}[f]
}

func (m *Module) uses(f Feature) {
	if !slices.Contains(m.Features, f) {
		m.Features = append(m.Features, f)
	}
}
