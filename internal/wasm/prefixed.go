package wasm

// misc reads an instruction with the prefix fc.
func (r *reader) misc(f *Function, at int) {
	const (
		memoryInit, dataDrop, memoryCopy, memoryFill = 8, 9, 10, 11
		tableInit, elemDrop, tableCopy               = 12, 13, 14
		tableGrow, tableSize, tableFill              = 15, 16, 17
		firstWide, lastWide                          = 19, 22
	)
	op := r.u32("an opcode")
	w := &r.walker
	switch {
	case op < memoryInit: // saturating truncations
		return
	case op >= firstWide && op <= lastWide:
		r.uses(WideArithmetic)
		return
	case op == dataDrop, op == elemDrop:
		r.u32("a segment")
		return
	case op == tableSize:
		r.u32("a table")
		w.height++
		return
	}
	switch op {
	case memoryInit:
		r.u32("a segment")
		r.memoryIndex()
	case memoryCopy:
		r.memoryIndex()
		r.memoryIndex()
	case memoryFill:
		r.memoryIndex()
	case tableInit, tableCopy:
		r.u32("a segment or table")
		r.u32("a table")
	case tableGrow, tableFill:
		r.u32("a table")
	default:
		r.fail(at, "unknown instruction 0xfc %#x", op)
		return
	}
	w.height -= 3
	if op == tableGrow {
		w.height += 2
	}
	if op == memoryFill || op == tableFill {
		w.fill()
	}
	r.unbounded(f, at)
}

// unbounded notes an instruction whose time depends on its arguments.
func (r *reader) unbounded(f *Function, at int) {
	if r.ok() {
		f.Bulk++
		r.walker.work.straight += perBulk
		r.walker.work.blocks += blocksOfBulk
		r.m.bulk = append(r.m.bulk, uint32(at))
	}
}

// vector reads an instruction with the prefix fd.
func (r *reader) vector(at int) {
	op := r.vectorOpcode()
	switch {
	case !r.ok():
	case int(op) < len(vectorOpcodes):
		r.walker.count(opVector, vectorOpcodes[op])
		r.operand(at, vectorOpcodes[op])
	case op <= lastRelaxedOpcode:
		r.uses(RelaxedSIMD)
	default:
		r.fail(at, "unknown instruction 0xfd %#x", op)
	}
}

// vectorOpcode reads an opcode in its shortest form: an engine takes the first byte for the
// whole, and would see other instructions in a longer one.
func (r *reader) vectorOpcode() uint32 {
	at := r.pos
	op := r.u32("an opcode")
	if r.ok() && (op < 0x80) != (r.pos == at+1) || r.pos > at+2 {
		r.fail(at, "the opcode is longer than it must be")
	}
	return op
}
