package sandbox_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
)

const i32 = 0x7f

// The bombs ask for much: each would cost a reader or a compiler gigabytes or minutes. They
// are refused before they are compiled, with a word about what there is too much of. But for
// that they are modules like others.
func TestHostileBombs(t *testing.T) {
	const many = 1_000_000
	var cases []refused
	bomb := func(name, says string, set func(*parts)) {
		p := smallest()
		set(&p)
		cases = append(cases, refused{name: name, data: p.module(), says: []string{says}, weight: 20})
	}

	// Functions that are much to compile.
	end := []byte{0x41, 0, 0x0b} // i32.const 0, end
	body := func(locals []byte, code ...[]byte) func(*parts) {
		function := slices.Concat(locals, bytes.Join(code, nil))
		return func(p *parts) { p.code[0] = slices.Concat(number(len(function)), function) }
	}
	bomb("locals", "locals", body(locals(1<<32-1), end))
	bomb("locals whose sum is small in 32 bits", "locals", body(locals(1<<31, 1<<31, 8), end))
	bomb("a hundred thousand locals", "locals", body(locals(100_000), end))
	bomb("a long body", "bytes", body(locals(), bytes.Repeat([]byte{0x41, 0, 0x1a}, many), end))
	bomb("deep blocks", "block", body(locals(), bytes.Repeat([]byte{0x02, 0x40}, 50_000), bytes.Repeat([]byte{0x0b}, 50_000), end))
	bomb("a wide branch", "br_table", body(locals(), []byte{0x41, 0, 0x0e}, number(200_000), make([]byte, 200_000), []byte{0, 0x0b}))

	// Many of what is small.
	bomb("types", "types", func(p *parts) {
		p.types = append(p.types, slices.Repeat([][]byte{{0x60, 0, 0}}, many)...)
	})
	bomb("a wide type", "parameters", func(p *parts) {
		p.types = append(p.types, slices.Concat([]byte{0x60}, number(many), bytes.Repeat([]byte{i32}, many), number(0)))
	})
	bomb("functions", "functions", func(p *parts) {
		p.functions = slices.Repeat([][]byte{{1}}, many)
		p.code = slices.Repeat([][]byte{{4, 0, 0x41, 0, 0x0b}}, many)
	})
	bomb("globals", "globals", func(p *parts) {
		p.globals = slices.Repeat([][]byte{{i32, 0, 0x41, 0, 0x0b}}, many)
	})
	bomb("data segments", "data segments", func(p *parts) {
		p.data = slices.Repeat([][]byte{{1, 0}}, many)
	})
	bomb("element segments", "element", func(p *parts) {
		p.tables = [][]byte{{0x70, 0, 1}}
		p.elements = slices.Repeat([][]byte{{1, 0, 0}}, many)
	})
	bomb("tables", "tables", func(p *parts) {
		p.tables = slices.Repeat([][]byte{{0x70, 0, 1}}, many)
	})
	bomb("exports", "exports", func(p *parts) {
		for i := range many {
			p.exports = append(p.exports, slices.Concat(name(fmt.Sprint(i)), []byte{2, 0}))
		}
	})
	bomb("imports", "imports", func(p *parts) {
		p.imports = slices.Repeat(p.imports, many)
		p.exports[1] = slices.Concat(name("goToDefinition"), []byte{0}, number(many))
	})
	requireRefused(t, cases)
}

// Counts and sizes that nothing follows: whoever believes them is out of memory.
func TestHostileCounts(t *testing.T) {
	const most = 1<<32 - 1
	var cases []refused
	count := func(name string, sections ...[]byte) {
		cases = append(cases, refused{name: name, data: moduleOf(sections...), says: []string{"damaged"}})
	}
	for id, what := range map[byte]string{1: "types", 2: "imports", 3: "functions", 4: "tables", 5: "memories", 6: "globals", 7: "exports", 9: "elements", 10: "code", 11: "data"} {
		count(what, section(id, number(most)))
	}
	count("bytes of a section", []byte{1}, number(most))
	count("bytes of a name", section(2, number(1), number(most), []byte("env")))
	count("parameters", section(1, number(1), []byte{0x60}, number(most)))
	count("a number that never ends", section(1, bytes.Repeat([]byte{0x80}, 1000)))
	requireRefused(t, cases)
}

// parts are the items of a module's sections.
type parts struct {
	types, imports, functions, tables, memories, globals, exports, elements, code, data [][]byte
}

// smallest is a module that is not refused.
func smallest() parts {
	return parts{
		types:     [][]byte{{0x60, 2, i32, i32, 0}, {0x60, 2, i32, i32, 1, i32}},
		imports:   [][]byte{slices.Concat(name("navseam_v1"), name("locations"), []byte{0, 0})},
		functions: [][]byte{{1}},
		memories:  [][]byte{{0, 1}},
		exports:   [][]byte{slices.Concat(name("memory"), []byte{2, 0}), slices.Concat(name("goToDefinition"), []byte{0, 1})},
		code:      [][]byte{{4, 0, 0x41, 0, 0x0b}},
	}
}

func (p parts) module() []byte {
	var sections [][]byte
	add := func(id byte, items [][]byte) {
		if len(items) > 0 {
			sections = append(sections, section(id, number(len(items)), bytes.Join(items, nil)))
		}
	}
	add(1, p.types)
	add(2, p.imports)
	add(3, p.functions)
	add(4, p.tables)
	add(5, p.memories)
	add(6, p.globals)
	add(7, p.exports)
	add(9, p.elements)
	add(10, p.code)
	add(11, p.data)
	return moduleOf(sections...)
}

// The smallest module is none of those that are refused.
func TestSmallestModule(t *testing.T) {
	require.Empty(t, sandbox.Inspect(smallest().module()).Problems)
}

// moduleOf is a module of these sections.
func moduleOf(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), bytes.Join(sections, nil)...)
}

// section is a section of a module, with its id and size.
func section(id byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	return slices.Concat([]byte{id}, number(len(content)), content)
}

// locals are the declarations of a function's locals, so many in each group.
func locals(groups ...int) []byte {
	all := number(len(groups))
	for _, group := range groups {
		all = append(append(all, number(group)...), i32)
	}
	return all
}

func name(s string) []byte { return append(number(len(s)), s...) }

// number is an unsigned number as modules have them.
func number(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
