package wasm

import "github.com/navseam/navseam/abi"

// Module is what a file says about itself. Where Features is not empty the rest may be
// incomplete: a feature that is refused ends the reading of the section or function that it
// stands in.
type Module struct {
	Size            int
	Types           []abi.Signature
	Imports         []Import
	Functions       []Function // those that the module defines; their index begins after the imported ones
	Tables          []Limits   // as Functions
	Memories        []Limits   // as Functions
	Globals         int        // defined
	MutableGlobals  int        // of those, and of the imported ones
	Exports         []Export
	Start           *uint32 // index of the start function
	ElementSegments int
	Elements        uint64 // in all segments
	DataSegments    int
	DataBytes       uint64
	Misplaced       string // the first active segment that lies outside of its table or memory, and where
	CustomSections  []CustomSection
	Features        []Feature // of those that are refused, each once, in the order of the file

	sections []section
	names    []byte   // what is kept of the section "name"
	bulk     []uint32 // offsets of the instructions of unbounded work
	imported [5]int   // by ExternKind
	calls    []uint32 // the imports that are functions, by their index
}

// ExternKind is the kind of an import or export, with its code in the format.
type ExternKind uint8

// The kinds.
const (
	FunctionKind ExternKind = iota
	TableKind
	MemoryKind
	GlobalKind
	TagKind
)

// String returns the name in the text format.
func (k ExternKind) String() string {
	return [...]string{"func", "table", "memory", "global", "tag"}[k]
}

// Import is one import; Signature is of a function.
type Import struct {
	Module, Name string
	Kind         ExternKind
	Signature    abi.Signature
}

// Export is one export; Index counts imports first.
type Export struct {
	Name  string
	Kind  ExternKind
	Index uint32
}

// Limits are those of a memory, in pages, or of a table, in elements.
type Limits struct {
	Min, Max             uint64
	HasMax, Shared, Is64 bool
	Element              abi.ValueType // of a table
}

// CustomSection is a section that is no part of the module's meaning.
type CustomSection struct {
	Name string
	Size int
}

type section struct {
	id                   byte
	header, payload, end int
}

// Function returns the signature of an exported function.
func (m *Module) Function(export string) (abi.Signature, bool) {
	for _, e := range m.Exports {
		if e.Name == export && e.Kind == FunctionKind {
			return m.signature(e.Index)
		}
	}
	return abi.Signature{}, false
}

// signature returns that of a function by its index.
func (m *Module) signature(index uint32) (abi.Signature, bool) {
	if int64(index) < int64(len(m.calls)) {
		return m.Imports[m.calls[index]].Signature, true
	}
	if index -= uint32(len(m.calls)); int64(index) < int64(len(m.Functions)) {
		return m.typeAt(m.Functions[index].Type)
	}
	return abi.Signature{}, false
}

func (m *Module) typeAt(index uint32) (abi.Signature, bool) {
	if uint64(index) >= uint64(len(m.Types)) {
		return abi.Signature{}, false
	}
	return m.Types[index], true
}
