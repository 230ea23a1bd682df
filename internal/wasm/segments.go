package wasm

import "fmt"

// PageBytes is the size of a page of memory.
const PageBytes = 64 << 10

// constant reads a constant expression. Of one that is an i32, it returns the value.
func (r *reader) constant(what string) (value uint32, known bool) {
	for r.reading() {
		at := r.pos
		switch op := r.byte(what); op {
		case 0x0b: // end
			return value, known
		case 0x41:
			value, known = uint32(r.signed(32, what)), true
		case 0x42:
			r.signed(64, what)
		case 0x43:
			r.skip(4, what)
		case 0x44:
			r.skip(8, what)
		case 0x23, 0xd2: // global.get, ref.func
			r.u32(what)
		case 0xd0: // ref.null
			r.nullType()
		case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // add, sub and mul of i32 and i64
			r.uses(ExtendedConst)
		case 0xfb:
			r.uses(GC)
		case 0xfd:
			if r.vectorOpcode() != 0x0c {
				r.fail(at, "%s has an instruction that is not constant", what)
			}
			r.skip(16, what)
		default:
			r.fail(at, "%s has an instruction that is not constant: %#x", what, op)
		}
	}
	return 0, false
}

// nullType reads the type of ref.null. Those of other proposals are features.
func (r *reader) nullType() {
	at := r.pos
	t := r.signed(33, "the type of ref.null")
	switch {
	case t == -0x10, t == -0x11: // func, extern
	case t == -0x17, t == -0x0c: // exn, noexn
		r.uses(Exceptions)
	case t >= 0:
		r.uses(FunctionReferences)
	case t >= -0x40:
		r.uses(GC)
	default:
		r.fail(at, "ref.null of an unknown type: %d", t)
	}
}

// The bits of the form of an element segment.
const (
	notActive      = 1 << iota // passive or declarative
	tableOrDeclare             // active: names its table; else: declarative
	expressions                // has expressions and not function indices
)

func (r *reader) elements() {
	r.m.ElementSegments = r.items("element segments", 2)
	for i := 0; i < r.m.ElementSegments && r.reading(); i++ {
		at := r.pos
		form := r.u32("the form of an element segment")
		if form > 7 {
			r.fail(at, "an element segment of the unknown form %d", form)
			return
		}
		table, offset, placed := uint32(0), uint32(0), false
		if form&notActive == 0 {
			if form&tableOrDeclare != 0 {
				table = r.u32("the table of an element segment")
			}
			offset, placed = r.constant("the offset of an element segment")
		}
		if form&(notActive|tableOrDeclare) != 0 {
			r.elementType(form&expressions != 0)
		}
		if r.left {
			return
		}
		n := r.elementItems(form&expressions != 0)
		if placed && int(table) < len(r.m.Tables) {
			r.m.place("element", i, uint64(offset), n, r.m.Tables[table].Min)
		}
	}
}

// place notes the first active segment that does not fit where it goes. An instance traps on
// it as it begins, by the specification: not every engine sees to that.
func (m *Module) place(kind string, index int, offset, size, room uint64) {
	if offset+size > room && m.Misplaced == "" {
		m.Misplaced = fmt.Sprintf("%s segment %d ends at %d, outside of the %d that there are", kind, index, offset+size, room)
	}
}

func (r *reader) elementType(expressions bool) {
	if expressions {
		r.valueType("the type of an element segment")
		return
	}
	at := r.pos
	if kind := r.byte("the kind of an element segment"); kind != 0 {
		r.fail(at, "an element segment of the unknown kind %d", kind)
	}
}

func (r *reader) elementItems(expressions bool) uint64 {
	n := r.count("elements", 1)
	r.m.Elements += uint64(n)
	for i := 0; i < n && r.reading(); i++ {
		if expressions {
			r.constant("an element")
		} else {
			r.u32("an element")
		}
	}
	return uint64(n)
}

func (r *reader) data() {
	r.m.DataSegments = r.items("data segments", 2)
	for i := 0; i < r.m.DataSegments && r.reading(); i++ {
		at := r.pos
		form := r.u32("the form of a data segment")
		switch form {
		case 0, 1:
		case 2:
			if r.u32("the memory of a data segment") != 0 {
				r.m.uses(MultipleMemories)
			}
		default:
			r.fail(at, "a data segment of the unknown form %d", form)
		}
		offset, placed := uint32(0), false
		if form != 1 {
			offset, placed = r.constant("the offset of a data segment")
		}
		if r.left {
			return
		}
		n := r.u32("the size of a data segment")
		r.skip(n, "a data segment")
		if r.ok() {
			r.m.DataBytes += uint64(n)
			if placed && len(r.m.Memories) > 0 {
				r.m.place("data", i, uint64(offset), uint64(n), r.m.Memories[0].Min*PageBytes)
			}
		}
	}
}
