package wasm

// The tables give each instruction a letter for what follows its opcode and for how it
// changes the height of the stack.
//
//	.  nothing, height as before       M  memory argument (a load)
//	1  nothing, one lower              W  memory argument, two lower (a store)
//	2  nothing, two lower              l  memory argument and lane, one lower
//	i  index                           s  memory argument and lane, two lower
//	g  index, one higher               x  lane
//	p  index, one lower                r  lane, one lower
//	q  index, two lower                S  sixteen lanes, one lower
//	C  has its own code                K  sixteen bytes, one higher
//
// A space is no instruction that is known.
const (
	opcodes = "" +
		"C.CCCCCCCCCCCCCC" + // 00 control
		"CCCCCC  CC12C  C" + // 10 calls, drop, select
		"gpigpiq MMMMMMMM" + // 20 variables, tables, loads
		"MMMMMMWWWWWWWWWC" + // 30 loads, stores, memory.size
		"CCCCC.1111111111" + // 40 memory.grow, constants, i32 comparisons
		".111111111111111" + // 50 i64 and f32 comparisons
		"1111111...111111" + // 60 f64 comparisons, i32 arithmetic
		"111111111...1111" + // 70 i64 arithmetic
		"11111111111....." + // 80
		"..1111111......." + // 90 f32 arithmetic
		"1111111........." + // a0 f64 arithmetic, conversions
		"................" + // b0 conversions
		".....           " + // c0 sign extension
		"C.gCCCC         " + // d0 references
		"CCCCCCC         " + // e0 stack switching
		"           CCCC " //  f0 prefixes

	// After the prefix fd, up to ff.
	vectorOpcodes = "" +
		"MMMMMMMMMMMWKS1." + // 00 loads, store, const, shuffle, swizzle, splat
		".....xxrxxrxrxrx" + // 10 splat, lanes
		"rxr1111111111111" + // 20 lanes, comparisons
		"1111111111111111" + // 30
		"1111111111111.11" + // 40 comparisons, logic
		"112.llllssssMM.." + // 50 logic, lanes in memory, conversions
		".....11....11111" + // 60 i8x16
		"1111..1111.1...." + // 70
		"..1..11....11111" + // 80 i16x8
		"1111.11111 11111" + // 90
		".. ..  ....1111 " + // a0 i32x4
		" 1   111111 1111" + // b0
		".. ..  ....1111 " + // c0 i64x2
		" 1   11111111111" + // d0
		".. .11111111.. ." + // e0 f32x4, f64x2
		"11111111........" //  f0

	lastRelaxedOpcode = 0x114
	lastAtomicOpcode  = 0x4e
)

// The instructions that the walk handles by name.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opSelectTyped  = 0x1c
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opRefNull      = 0xd0
	opRefEq        = 0xd3
	opGC           = 0xfb
	opMisc         = 0xfc
	opVector       = 0xfd
	opAtomic       = 0xfe
)

// refusedBy says which feature an instruction belongs to that is none of WebAssembly 2.0.
func refusedBy(op byte) (Feature, bool) {
	switch op {
	case 0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f: // try, catch, throw …
		return Exceptions, true
	case 0x12, 0x13: // return_call, return_call_indirect
		return TailCalls, true
	case 0x14, 0x15, 0xd4, 0xd5, 0xd6: // call_ref, ref.as_non_null …
		return FunctionReferences, true
	case opRefEq, opGC:
		return GC, true
	case 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6: // cont.new …
		return StackSwitching, true
	case opAtomic:
		return Threads, true
	default:
		return 0, false
	}
}
