package wasm

import "sort"

func (r *reader) imports() {
	n := r.items("imports", 4)
	for i := 0; i < n && r.reading(); i++ {
		m, name := r.name("the module of an import"), r.name("the name of an import")
		imp := Import{Module: m, Name: name}
		at := r.pos
		switch imp.Kind = ExternKind(r.byte("the kind of an import")); imp.Kind {
		case FunctionKind:
			at := r.pos
			index := r.u32("the type of an import")
			r.inRange(at, index, len(r.m.Types), "type")
			imp.Signature, _ = r.m.typeAt(index)
		case TableKind:
			r.valueType("the element type of a table")
			r.limits("an imported table", false)
		case MemoryKind:
			r.limits("an imported memory", true)
		case GlobalKind:
			r.globalType()
		case TagKind:
			r.uses(Exceptions)
		default:
			r.fail(at, "an import of the unknown kind %d", imp.Kind)
		}
		if !r.ok() {
			return
		}
		if imp.Kind == FunctionKind {
			r.m.calls = append(r.m.calls, uint32(len(r.m.Imports)))
		}
		r.m.imported[imp.Kind]++
		r.m.Imports = append(r.m.Imports, imp)
	}
	r.oneMemory()
}

func (r *reader) oneMemory() {
	if r.m.total(MemoryKind) > 1 {
		r.m.uses(MultipleMemories)
	}
}

func (r *reader) functions() {
	n := r.items("functions", 1)
	r.m.Functions = make([]Function, n)
	for i := range r.m.Functions {
		at := r.pos
		index := r.u32("the type of a function")
		r.inRange(at, index, len(r.m.Types), "type")
		r.m.Functions[i].Type = index
	}
}

func (r *reader) tables() {
	n := r.items("tables", 3)
	for i := 0; i < n && r.reading(); i++ {
		if r.pos < r.end && r.b[r.pos] == 0x40 { // with an initial value
			r.uses(FunctionReferences)
			return
		}
		element := r.valueType("the element type of a table")
		table := r.limits("a table", false)
		table.Element = element
		r.m.Tables = append(r.m.Tables, table)
	}
}

func (r *reader) memories() {
	n := r.items("memories", 2)
	for i := 0; i < n && r.reading(); i++ {
		r.m.Memories = append(r.m.Memories, r.limits("a memory", true))
	}
	r.oneMemory()
}

func (r *reader) globalType() {
	r.valueType("the type of a global")
	at := r.pos
	if r.left {
		return
	}
	switch mutable := r.byte("the mutability of a global"); mutable {
	case 0:
	case 1:
		r.m.MutableGlobals++
	case 2, 3:
		r.uses(Threads)
	default:
		r.fail(at, "a global is constant (0) or mutable (1), not %d", mutable)
	}
}

func (r *reader) globals() {
	n := r.items("globals", 4)
	for i := 0; i < n && r.reading(); i++ {
		r.globalType()
		r.constant("the value of a global")
		r.m.Globals++
	}
}

func (r *reader) exports() {
	n := r.items("exports", 3)
	for i := 0; i < n && r.ok(); i++ {
		e := Export{Name: r.name("the name of an export")}
		at := r.pos
		e.Kind = ExternKind(r.byte("the kind of an export"))
		e.Index = r.u32("the index of an export")
		if r.ok() && e.Kind > TagKind {
			r.fail(at, "an export of the unknown kind %d", e.Kind)
		}
		if !r.ok() {
			return
		}
		r.inRange(at, e.Index, r.m.total(e.Kind), "exported "+e.Kind.String())
		r.m.Exports = append(r.m.Exports, e)
	}
	r.distinct()
}

// distinct finds names that are exported twice without a table of them all.
func (r *reader) distinct() {
	names := make([]string, len(r.m.Exports))
	for i, e := range r.m.Exports {
		names[i] = e.Name
	}
	sort.Strings(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			r.fail(r.pos, "%.64q is exported twice", names[i])
			return
		}
	}
}

func (r *reader) start() {
	at := r.pos
	index := r.u32("the index of the start function")
	r.inRange(at, index, r.m.total(FunctionKind), "the start function")
	r.m.Start = &index
}

// custom notes a custom section and keeps what engines show of the names.
func (r *reader) custom() {
	start := r.pos
	name := r.name("the name of a custom section")
	if !r.ok() {
		return
	}
	if len(r.m.CustomSections) == maxCustomSections {
		r.fail(start, "more than %d custom sections", maxCustomSections)
		return
	}
	r.m.CustomSections = append(r.m.CustomSections, CustomSection{Name: name, Size: r.end - start})
	if name == "name" && r.m.names == nil {
		r.m.names = usableNames(r.b[r.pos:r.end])
	}
	r.pos = r.end
}
