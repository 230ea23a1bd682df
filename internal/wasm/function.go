package wasm

// Function is a function that the module defines, with what its code costs.
type Function struct {
	Type         uint32
	Locals       uint64 // declared, without the parameters
	Size         uint32 // bytes of its code
	Instructions uint32
	Depth        uint32 // of nested blocks
	Blocks       uint32 // block, loop and if
	Loops        uint32
	Calls        uint32 // direct and indirect
	Targets      uint32 // of the largest br_table
	Bulk         uint32 // instructions of unbounded work, such as memory.fill
	Checked      bool   // every call passes the head of a loop before it can call anything
	Work         uint64 // an estimate of what compiling it costs; see work.go

	body uint32 // of its locals
	code uint32 // of its first instruction
}

// code reads the code section.
func (r *reader) code() {
	r.bodies = r.items("functions", 3)
	if len(r.m.Features) == 0 && r.bodies != len(r.m.Functions) {
		r.agree()
		return
	}
	for i := 0; i < r.bodies && r.ok(); i++ {
		size := r.u32("the size of a function")
		body := r.pos
		r.skip(size, "a function")
		if !r.ok() || i >= len(r.m.Functions) {
			return
		}
		f := &r.m.Functions[i]
		f.body, f.Size = uint32(body), size
		r.function(f)
	}
}

// function reads one body, out of which it cannot get.
func (r *reader) function(f *Function) {
	outer := r.cursor
	r.pos, r.end = int(f.body), int(f.body+f.Size)
	r.locals(f)
	f.code = uint32(r.pos)
	if r.reading() {
		r.walk(f)
	}
	outer.err = r.err
	if r.ok() {
		outer.pos = int(f.body + f.Size)
	}
	r.cursor = outer
}

// locals reads the declarations: runs of one type, whose sum is all that is kept.
func (r *reader) locals(f *Function) {
	runs := r.count("runs of locals", 2)
	for i := 0; i < runs && r.reading(); i++ {
		f.Locals += uint64(r.u32("the length of a run of locals"))
		r.valueType("the type of a local")
	}
}
