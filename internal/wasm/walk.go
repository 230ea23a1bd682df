package wasm

import "math"

// frame is a block that is open.
type frame struct {
	op      byte
	params  int
	results int
	height  int // of the stack below it

	branches float64 // to its label
	accesses float64 // of locals before it
	bounds   float64 // known on every way to its end
	chain    int     // of blocks before it
	loops    bool    // has a loop in it
}

// walker goes through the instructions of one function. It keeps the height of the stack
// as validation would, without the types: what compiling costs depends on it.
type walker struct {
	frames  []frame
	height  int
	entered bool // straight from the entry: nothing has branched or called yet

	work    work
	locals  float64 // with parameters
	chain   int     // of blocks that can be entered from the one before only
	bounds  float64 // of addresses that are known here
	looping int     // open loops
}

func (r *reader) walk(f *Function) {
	w := &r.walker
	own, _ := r.m.typeAt(f.Type)
	w.frames = append(w.frames[:0], frame{results: len(own.Results), bounds: math.Inf(1)})
	w.height, w.entered = 0, true
	w.work, w.chain, w.bounds, w.looping = work{}, 0, 0, 0
	w.locals = float64(f.Locals) + float64(len(own.Params))
	for r.reading() && len(w.frames) > 0 {
		f.Instructions++
		r.instruction(f)
		if n := len(w.frames); n > 0 {
			w.height = max(w.height, w.frames[n-1].height) // code that is never reached
		}
	}
	f.Work = w.work.estimate(r.m, f, len(own.Params))
	if r.reading() && r.pos != r.end {
		r.fail(r.pos, "%d bytes follow the end of a function", r.remaining())
	}
}

func (r *reader) instruction(f *Function) {
	at := r.pos
	op := r.byte("an instruction or end")
	if !r.ok() {
		return
	}
	if shape := opcodes[op]; shape != 'C' {
		r.walker.count(op, shape)
		r.operand(at, shape)
		return
	}
	w := &r.walker
	w.work.straight += perInstruction
	switch op {
	case opBlock, opLoop, opIf:
		r.open(f, op)
	case opElse, opEnd:
		r.close(at, op)
	case opBr, opBrIf:
		r.branch()
		w.leave(op)
	case opBrTable:
		n := r.count("labels", 1)
		for i := 0; i <= n && r.ok(); i++ {
			r.branch()
		}
		f.Targets = max(f.Targets, uint32(n))
		w.leave(op)
	case opReturn, opUnreachable:
		w.leave(op)
	case opCall, opCallIndirect:
		r.call(f, op)
	case opSelectTyped:
		r.valueTypes("types of select")
		w.height -= 2
	case opMemorySize, opMemoryGrow:
		r.memoryIndex()
		if op == opMemorySize {
			w.height++
		} else {
			r.unbounded(f, at)
		}
	case opI32Const:
		r.signed(32, "a constant")
		w.height++
	case opI64Const:
		r.signed(64, "a constant")
		w.height++
	case opF32Const:
		r.skip(4, "a constant")
		w.height++
	case opF64Const:
		r.skip(8, "a constant")
		w.height++
	case opRefNull:
		r.nullType()
		w.height++
	case opMisc:
		r.misc(f, at)
	case opVector:
		r.vector(at)
	default:
		if feature, refused := refusedBy(op); refused {
			r.uses(feature)
		} else {
			r.fail(at, "unknown instruction %#x", op)
		}
	}
}

// operand reads what the letter of a table says.
func (r *reader) operand(at int, shape byte) {
	w := &r.walker
	switch shape {
	case '.':
	case '1':
		w.height--
	case '2':
		w.height -= 2
	case 'i':
		r.u32("an index")
	case 'g':
		r.u32("an index")
		w.height++
	case 'p':
		r.u32("an index")
		w.height--
	case 'q':
		r.u32("an index")
		w.height -= 2
	case 'M':
		r.memoryArgument()
	case 'W':
		r.memoryArgument()
		w.height -= 2
	case 'l', 's':
		r.memoryArgument()
		r.byte("a lane")
		w.height--
		if shape == 's' {
			w.height--
		}
	case 'x':
		r.byte("a lane")
	case 'r':
		r.byte("a lane")
		w.height--
	case 'S':
		r.skip(16, "the lanes of a shuffle")
		w.height--
	case 'K':
		r.skip(16, "a constant")
		w.height++
	default:
		r.fail(at, "unknown instruction %#x", r.b[at:r.pos])
	}
}

func (r *reader) memoryIndex() {
	at := r.pos
	index := r.u32("a memory")
	if r.ok() && r.pos != at+1 {
		r.fail(at, "the index of the memory has %d bytes, not one", r.pos-at)
	} else if index != 0 {
		r.uses(MultipleMemories)
	}
}

func (r *reader) memoryArgument() {
	at := r.pos
	align := r.u32("an alignment")
	switch {
	case align >= 128:
		r.fail(at, "an alignment of 2^%d", align)
	case align >= 64: // names its memory
		r.uses(MultipleMemories)
		return
	}
	bits := uint(32)
	if len(r.m.Features) > 0 { // it may be that of 64-bit memory
		bits = 64
	}
	r.unsigned(bits, "an offset")
}
