package wasm

import (
	"fmt"
	"math"
	"slices"
)

// Budgets are the most that a module may have of each thing. The memory that it begins with
// is not among them: that is the deployment's to say.
//
// The defaults leave room for what compilers make. Measured were two Go guests (one that
// uses fmt; one that uses net/http, encoding/json and go/parser), small ones in Rust and
// AssemblyScript, SQLite (C) and the compiler SWC (Rust):
//
//	                        Go fmt  Go http     Rust  AssemblyScript  SQLite      SWC
//	module bytes         2,616,320  12.0 MB    6.1 MB         13,539  688,280  18.0 MB
//	functions                1,770    6,698      619            127    1,970   16,346
//	bytes of a function     29,238   50,636    7,046            608   34,713   55,749
//	locals of a function        17       20      149             27       48      534
//	depth of blocks            549      570       26              9      291      329
//	targets of a br_table      895    1,144       40              8      348      193
//	parameters                   4        4       10              5       13       23
//	globals                      8        8        3             23        1        1
//	data segments           30,525  100,000        2             22      397        2
//	elements, table minima   7,636   17,492      219              3    1,041    4,896
type Budgets struct {
	ModuleBytes     uint64
	Types           uint64
	Parameters      uint64 // of a function or block
	Results         uint64
	Imports         uint64
	Exports         uint64
	Functions       uint64
	FunctionBytes   uint64
	Locals          uint64 // of a function
	Depth           uint64 // of blocks in a function
	Targets         uint64 // of a br_table
	Globals         uint64
	Tables          uint64
	TableElements   uint64 // minima of tables and elements of segments; outside of an engine's limit on memory
	ElementSegments uint64
	DataSegments    uint64

	// Work is counted in nanoseconds, as work.go estimates them: two to five times what the
	// modules above take. Those come to 1.2 to 3.3 µs for a byte of code (Go to 1.5), and
	// took wazero v1.12.0 0.5 to 0.9 µs; their largest functions come to 0.3 s (Go), 0.3 s
	// (SQLite) and 2.7 s (SWC). Made for it, 5,786 bytes (500 nested loops, 500 locals read in
	// the innermost) took 36 s, 22 KB (2,000 locals read after 2,000 ifs with a call) 9 s and
	// 0.4 GB, 68 KB (4,000 loads, then 4,000 branches) 2.7 s and 0.8 GB, and 28 KB (4,000 calls
	// in a module of 4,000 globals) 4.9 s and 2.6 GB. A search over 2,700 random functions
	// estimated at 2 s or less found none that takes over 0.2 s and over twice its estimate.
	FunctionWork uint64 // of one function
	Work         uint64 // of the module, with WorkPerByte for each byte of its code
	WorkPerByte  uint64
}

// DefaultBudgets returns budgets for modules of at least twice the size of the largest Go
// guest, which compile in time about linear in their size.
func DefaultBudgets() Budgets {
	return Budgets{
		ModuleBytes:     64 << 20,
		Types:           5_000,
		Parameters:      100,
		Results:         100,
		Imports:         1_000,
		Exports:         5_000,
		Functions:       60_000,
		FunctionBytes:   256 << 10,
		Locals:          10_000,
		Depth:           2_000,
		Targets:         10_000,
		Globals:         10_000,
		Tables:          16,
		TableElements:   100_000,
		ElementSegments: 1_000,
		DataSegments:    100_000, // as Go's linker: it merges what is more
		FunctionWork:    4e9,
		Work:            2e9,
		WorkPerByte:     6_000,
	}
}

// Measure is how much a module has of one thing, and may have.
type Measure struct {
	What         string
	Have, Budget uint64
}

// String returns "locals of function 12: 70000, the budget is 10000".
func (e Measure) String() string {
	return fmt.Sprintf("%s: %d, the budget is %d", e.What, e.Have, e.Budget)
}

// Excesses are the measures that are over budget.
func (m *Module) Excesses(b Budgets) []Measure {
	return slices.DeleteFunc(m.Measures(b), func(e Measure) bool { return e.Have <= e.Budget })
}

// Measures compares a module with its budgets. Of what each function has, it tells the worst.
func (m *Module) Measures(b Budgets) []Measure {
	var found []Measure
	check := func(what string, have, budget uint64) { found = append(found, Measure{what, have, budget}) }
	check("bytes of the module", uint64(m.Size), b.ModuleBytes)
	check("types", uint64(len(m.Types)), b.Types)
	params, results := m.arity()
	check("parameters of a type", params, b.Parameters)
	check("results of a type", results, b.Results)
	check("imports", uint64(len(m.Imports)), b.Imports)
	check("exports", uint64(len(m.Exports)), b.Exports)
	check("functions", uint64(len(m.Functions)), b.Functions)
	check("globals", uint64(m.total(GlobalKind)), b.Globals)
	check("tables", uint64(m.total(TableKind)), b.Tables)
	check("elements of tables", m.tableElements(), b.TableElements)
	check("element segments", uint64(m.ElementSegments), b.ElementSegments)
	check("data segments", uint64(m.DataSegments), b.DataSegments)
	for _, each := range []struct {
		what   string
		of     func(*Function) uint64
		budget uint64
	}{
		{"bytes", func(f *Function) uint64 { return uint64(f.Size) }, b.FunctionBytes},
		{"locals", func(f *Function) uint64 { return f.Locals }, b.Locals},
		{"nested blocks", func(f *Function) uint64 { return uint64(f.Depth) }, b.Depth},
		{"targets of a br_table", func(f *Function) uint64 { return uint64(f.Targets) }, b.Targets},
		{"nanoseconds of compiling, estimated,", func(f *Function) uint64 { return f.Work }, b.FunctionWork},
	} {
		index, most := m.worst(each.of)
		check(fmt.Sprintf("%s of function %d", each.what, index), most, each.budget)
	}
	code, work := m.compiling()
	check("nanoseconds of compiling, estimated", work, b.Work+b.WorkPerByte*code)
	return found
}

// arity returns the most parameters and results that a type has.
func (m *Module) arity() (params, results uint64) {
	for _, t := range m.Types {
		params, results = max(params, uint64(len(t.Params))), max(results, uint64(len(t.Results)))
	}
	return params, results
}

// tableElements counts what tables begin with and what segments hold for them.
func (m *Module) tableElements() uint64 {
	sum := m.Elements
	for _, t := range m.Tables {
		sum += t.Min
	}
	return sum
}

// worst returns the function that has most of something, by its index in the module.
func (m *Module) worst(of func(*Function) uint64) (index int, most uint64) {
	for i := range m.Functions {
		if have := of(&m.Functions[i]); have > most {
			index, most = i, have
		}
	}
	return index + m.imported[FunctionKind], most
}

// compiling adds up the bytes of code and the work of all functions.
func (m *Module) compiling() (code, work uint64) {
	for i := range m.Functions {
		f := &m.Functions[i]
		code += uint64(f.Size)
		work += min(f.Work, math.MaxUint64-work)
	}
	return code, work
}
