package wasm

// count notes what an instruction without control costs.
func (w *walker) count(op, shape byte) {
	c := &w.work
	c.straight += perInstruction
	switch {
	case op >= 0x20 && op <= 0x22: // local.get, set, tee
		c.accesses++
		c.chain += float64(w.chain)
	case op == 0x23: // global.get
		c.chain += float64(w.chain)
	case shape == 'M' || shape == 'W' || shape == 'l' || shape == 's' || op == 0x25 || op == 0x26:
		c.straight += perAccess
		c.chain += 2 * float64(w.chain)
		w.bounds++
	case op >= 0x6d && op <= 0x70, op >= 0x7f && op <= 0x82, // div, rem
		op >= 0xa8 && op <= 0xab, op >= 0xae && op <= 0xb1: // trunc
		c.straight += perTrap
	}
}

// next goes on in a block that can be entered from this one only.
func (w *walker) next() {
	w.chain++
	w.work.blocks++
	w.work.bounds += w.bounds
}

// enter goes into a block, loop or if.
func (w *walker) enter(op byte) {
	switch op {
	case opLoop:
		w.looping++
		w.loop()
	case opIf:
		w.next()
		w.work.blocks++
	}
}

// loop notes the head of a loop: what is known of locals before it is not known in it.
func (w *walker) loop() {
	c := &w.work
	c.depth = max(c.depth, float64(w.looping))
	c.blocks++
	c.bounds += w.bounds
	w.chain = 0
	for i := len(w.frames) - 1; i >= 0 && !w.frames[i].loops; i-- {
		w.frames[i].loops = true
	}
}

// fill notes memory.fill and table.fill, which engines turn into loops.
func (w *walker) fill() {
	w.loop()
	w.work.blocks += blocksOfFill
	w.work.merges += 2
	w.work.wide += 2
}

// branch reads a label and adds a way to it.
func (r *reader) branch() {
	at := r.pos
	label := r.u32("a label")
	w := &r.walker
	if r.ok() && uint64(label) >= uint64(len(w.frames)) {
		r.fail(at, "a branch out of %d blocks where %d are open", uint64(label)+1, len(w.frames))
		return
	}
	if !r.ok() {
		return
	}
	target := &w.frames[len(w.frames)-1-int(label)]
	target.branches++
	target.bounds = min(target.bounds, w.bounds)
	w.work.blocks++
	w.work.arity += float64(target.arity())
}

// arity is the number of values that a branch to the frame carries.
func (f *frame) arity() int {
	if f.op == opLoop {
		return f.params
	}
	return f.results
}

// otherwise goes from the end of what follows if to what follows else.
func (w *walker) otherwise(f *frame) {
	f.branches++
	w.chain = f.chain + 1
}

// merge goes on behind the end of a block.
func (w *walker) merge(f *frame) {
	c := &w.work
	arity := float64(f.arity())
	ways := f.branches + 1
	switch {
	case f.op == opLoop:
		w.looping--
		c.wide += ways
	case f.op == opIf: // no else: nothing is known of the other way
		ways++
		w.bounds = 0
	case f.branches == 0:
		w.next()
		return
	}
	c.merges++
	c.blocks++
	c.narrow += ways * arity * arity
	if f.op == opLoop {
		return
	}
	if f.loops {
		c.wide += ways
	}
	differ := min(w.locals, c.accesses-f.accesses)
	c.narrow += ways * differ * differ
	w.bounds = min(w.bounds, f.bounds)
	c.bounds += w.bounds * ways
	w.chain = 0
}

// called notes what a call costs.
func (w *walker) called(op byte, operands int) {
	c := &w.work
	c.calls++
	c.arity += float64(operands)
	c.straight += perCall
	if op == opCallIndirect {
		c.straight += perIndirectCall
	}
}
