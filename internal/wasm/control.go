package wasm

import "math"

// open reads a block type and enters the block.
func (r *reader) open(f *Function, op byte) {
	w := &r.walker
	params, results := r.blockType()
	switch op {
	case opLoop:
		f.Loops++
		f.Checked = f.Checked || w.entered
	case opIf:
		w.height--
		w.entered = false
	}
	w.enter(op)
	f.Blocks++
	w.frames = append(w.frames, frame{
		op: op, params: params, results: results, height: max(w.height-params, w.base()),
		accesses: w.work.accesses, bounds: math.Inf(1), chain: w.chain,
	})
	w.height = w.base() + params
	w.work.arity += float64(params + results)
	f.Depth = max(f.Depth, uint32(len(w.frames)-1))
}

// base is the height below the innermost block.
func (w *walker) base() int { return w.frames[len(w.frames)-1].height }

func (r *reader) blockType() (params, results int) {
	at := r.pos
	if r.pos < r.end && r.b[r.pos]&0xc0 == 0x40 { // a negative number of one byte
		if r.b[r.pos] == 0x40 {
			r.pos++
			return 0, 0
		}
		r.valueType("the type of a block")
		return 0, 1
	}
	index := r.signed(33, "the type of a block")
	if r.ok() && index < 0 {
		r.fail(at, "a block of an unknown type")
		return 0, 0
	}
	r.inRange(at, uint32(index), len(r.m.Types), "type")
	t, _ := r.m.typeAt(uint32(index))
	return len(t.Params), len(t.Results)
}

// close is else and end.
func (r *reader) close(at int, op byte) {
	w := &r.walker
	top := &w.frames[len(w.frames)-1]
	w.entered = w.entered && op == opEnd && top.op != opIf
	if op == opElse {
		if top.op != opIf {
			r.fail(at, "else without if")
		}
		top.op = opElse
		w.otherwise(top)
		w.height = top.height + top.params
		return
	}
	w.merge(top)
	w.height = top.height + top.results
	w.frames = w.frames[:len(w.frames)-1]
}

// leave is what br, return and their like do to the stack.
func (w *walker) leave(op byte) {
	w.entered = false
	if op == opBrIf {
		w.next()
		w.height--
	} else {
		w.height = w.base()
	}
}

func (r *reader) call(f *Function, op byte) {
	w := &r.walker
	w.entered = false
	f.Calls++
	at := r.pos
	if f.Calls%callsPerCheck == 0 {
		r.unbounded(f, at-1) // many small functions in a row are much
	}
	index := r.u32("what is called")
	t, ok := r.m.signature(index)
	if op == opCallIndirect {
		t, ok = r.m.typeAt(index)
		r.u32("a table")
		w.height--
	}
	if !ok && len(r.m.Features) == 0 {
		r.fail(at, "a call of something that does not exist: %d", index)
		return
	}
	w.called(op, len(t.Params)+len(t.Results))
	w.height = max(w.height-len(t.Params), w.base()) + len(t.Results)
}
