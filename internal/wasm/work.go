package wasm

import "math"

// work adds up what compiling one function costs. Optimizing compilers are not linear in
// the size of a function, and some of what they do grows with products of two or three
// numbers that are cheap to write down. Each of these products is counted here, weighted
// with the nanoseconds that wazero v1.12.0, the slowest of the engines in this respect,
// takes for one unit of it in a module that was made to show it.
type work struct {
	straight float64 // nanoseconds of what is linear in the code
	blocks   float64 // basic blocks and edges: finding dominators and loops walks pairs of them
	merges   float64 // basic blocks with more than one way in
	accesses float64 // of locals
	chain    float64 // blocks walked back to find the value of a variable
	bounds   float64 // known bounds of addresses, copied from block to block
	narrow   float64 // ways into a block, times the square of the values that differ
	wide     float64 // ways into loops, and into blocks with loops: any local may differ there
	depth    float64 // of nested loops: a pass repeats once for each
	arity    float64 // operands and results of calls, blocks and branches
	calls    float64
}

// The nanoseconds of one unit. Where a unit takes memory too, they are raised so that a
// second stands for a quarter of a gigabyte at most.
const (
	perInstruction  = 300
	perAccess       = 3_000  // of memory, with its check of bounds
	perTrap         = 3_000  // division and truncation, with theirs
	perCall         = 2_500  // direct
	perIndirectCall = 50_000 // 25 µs; 13 KB
	perBulk         = 30_000 // memory.fill and its like
	perPair         = 16     // of blocks
	perVisit        = 1_500  // of a block with several ways in, for a local
	perStep         = 20     // of a walk back
	perBound        = 160    // 80 ns; 25 bytes
	perPhi          = 1
	perOperand      = 12_000 // 1 µs and 420 bytes; wasmtime takes six
	perReload       = 600    // of a mutable global after a call: 300 ns; 170 bytes
	perParameter    = 60
	perGlobal       = 10  // declared anew in each function
	perLocal        = 100 // 10 ns; eight bytes, which stay until the whole module is compiled

	blocksOfFill = 6 // a loop, and the check before it
	blocksOfBulk = 2 // the check alone
)

// estimate is the time in nanoseconds for the whole function.
func (w *work) estimate(m *Module, f *Function, parameters int) uint64 {
	locals := float64(f.Locals) + float64(parameters)
	used := min(locals, w.accesses)
	phi := w.narrow + w.wide*used*used
	ns := w.straight +
		perPair*w.blocks*w.blocks +
		perVisit*used*w.merges +
		perStep*(w.chain+used*w.blocks) +
		perBound*w.bounds +
		perPhi*phi*(2+w.depth) +
		perOperand*w.arity +
		perReload*w.calls*float64(m.MutableGlobals) +
		perGlobal*float64(m.total(GlobalKind)) +
		perParameter*float64(parameters) +
		perLocal*float64(f.Locals)
	return uint64(min(ns, math.MaxInt64))
}
