package wasm

import (
	"fmt"
	"math"
)

const (
	maxSize  = 1 << 30   // offsets and what the rewriter adds fit in 32 bits
	maxItems = 1_000_000 // of one kind; no engine takes more, and it bounds memory

	maxCustomSections = 10_000
)

// The sections, by their codes.
const (
	customSection byte = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	dataCountSection
	tagSection
)

func sectionName(id byte) string {
	names := [...]string{"custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element", "code", "data", "data count", "tag"}
	return names[id] + " section"
}

// order is the place of a section in the file; the codes of the later ones are not in order.
func order(id byte) int {
	switch id {
	case tagSection:
		return 2*int(memorySection) + 1
	case dataCountSection:
		return 2*int(elementSection) + 1
	default:
		return 2 * int(id)
	}
}

// reader reads one module.
type reader struct {
	cursor
	m         *Module
	dataCount *uint32
	bodies    int
	walker    walker
}

// Read reads a module. The error is a [*FormatError].
func Read(b []byte) (*Module, error) {
	if k := Kind(b); k != Core {
		return nil, &FormatError{Problem: fmt.Sprintf("the file is %s: %s", k, k.Hint())}
	}
	if len(b) > maxSize {
		return nil, &FormatError{Problem: fmt.Sprintf("the file has %d bytes: the most is %d", len(b), maxSize)}
	}
	r := &reader{
		cursor: cursor{b: b, pos: headerSize, end: len(b)},
		m:      &Module{Size: len(b)},
	}
	r.module()
	if r.err != nil {
		return nil, r.err
	}
	return r.m, nil
}

func (r *reader) module() {
	last := 0
	for r.ok() && r.pos < r.end {
		s := section{header: r.pos}
		s.id = r.byte("the section code")
		if s.id > tagSection {
			r.fail(s.header, "unknown section %d", s.id)
			return
		}
		size := r.u32("the size of the " + sectionName(s.id))
		s.payload = r.pos
		r.skip(size, "the "+sectionName(s.id))
		s.end = r.pos
		if !r.ok() {
			return
		}
		if s.id != customSection {
			if order(s.id) <= last {
				r.fail(s.header, "the %s is there twice or in the wrong place", sectionName(s.id))
				return
			}
			last = order(s.id)
			r.m.sections = append(r.m.sections, s)
		}
		r.section(s)
	}
	if r.ok() {
		r.agree()
	}
}

// section reads the payload of one, from which it cannot get out.
func (r *reader) section(s section) {
	outer := r.cursor
	r.cursor = cursor{b: outer.b, pos: s.payload, end: s.end, section: sectionName(s.id)}
	switch s.id {
	case customSection:
		r.custom()
	case typeSection:
		r.types()
	case importSection:
		r.imports()
	case functionSection:
		r.functions()
	case tableSection:
		r.tables()
	case memorySection:
		r.memories()
	case globalSection:
		r.globals()
	case exportSection:
		r.exports()
	case startSection:
		r.start()
	case elementSection:
		r.elements()
	case codeSection:
		r.code()
	case dataSection:
		r.data()
	case dataCountSection:
		n := r.u32("the number of data segments")
		r.dataCount = &n
	case tagSection:
		r.uses(Exceptions)
	}
	if r.reading() && r.pos != r.end {
		r.fail(r.pos, "%d bytes follow the end of its contents", r.remaining())
	}
	outer.err = r.err
	r.cursor = outer
}

// uses notes a feature that is refused, and leaves the section or function.
func (r *reader) uses(f Feature) {
	if r.ok() {
		r.m.uses(f)
		r.left = true
		r.pos = r.end
	}
}

// items reads the length of a vector and refuses one that no engine takes.
func (r *reader) items(what string, size int) int {
	start := r.pos
	n := r.count(what, size)
	if n > maxItems {
		r.fail(start, "%d %s: the most is %d", n, what, maxItems)
		return 0
	}
	return n
}

// inRange checks an index. A feature may have hidden what it refers to.
func (r *reader) inRange(at int, index uint32, n int, what string) {
	if uint64(index) >= uint64(n) && len(r.m.Features) == 0 {
		r.fail(at, "%s %d does not exist: there are %d", what, index, n)
	}
}

// agree checks what sections say of each other.
func (r *reader) agree() {
	m := r.m
	if len(m.Features) > 0 {
		return
	}
	if r.bodies != len(m.Functions) {
		r.fail(r.pos, "the function section declares %d functions, the code section has %d", len(m.Functions), r.bodies)
	}
	if r.dataCount != nil && int64(*r.dataCount) != int64(m.DataSegments) {
		r.fail(r.pos, "the data count section says %d data segments, the data section has %d", *r.dataCount, m.DataSegments)
	}
}

// total counts what is imported and defined, as indices do.
func (m *Module) total(k ExternKind) int {
	n := m.imported[k]
	switch k {
	case FunctionKind:
		n += len(m.Functions)
	case TableKind:
		n += len(m.Tables)
	case MemoryKind:
		n += len(m.Memories)
	case GlobalKind:
		n += m.Globals
	case TagKind:
		return math.MaxInt // not read: they are a feature
	}
	return n
}
