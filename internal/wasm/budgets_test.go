package wasm_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/wasm"
)

// small is a budget that a module exceeds in one thing at a time.
func small() wasm.Budgets {
	return wasm.Budgets{
		ModuleBytes: 1000, Types: 1, Parameters: 1, Results: 1, Imports: 1, Exports: 1, Functions: 1, FunctionBytes: 100, Locals: 1,
		Depth: 1, Targets: 1, Globals: 1, Tables: 1, TableElements: 1, ElementSegments: 1, DataSegments: 1, FunctionWork: 1e9, Work: 1e9,
	}
}

func TestExcesses(t *testing.T) {
	void := []byte{0x60, 0, 0}
	importOf := func(kind ...byte) []byte { return append([]byte{0, 0}, kind...) }
	for _, c := range []struct {
		says string
		file []byte
	}{
		{"bytes of the module: 1012, the budget is 1000", module(section(0, append([]byte{0}, make([]byte, 1000)...)...))},
		{"types: 2, the budget is 1", module(section(1, vector(void, void)...))},
		{"parameters of a type: 2, the budget is 1", module(section(1, 1, 0x60, 2, 0x7f, 0x7f, 0))},
		{"results of a type: 2, the budget is 1", module(section(1, 1, 0x60, 0, 2, 0x7f, 0x7f))},
		{"imports: 2, the budget is 1", module(section(1, vector(void)...), section(2, vector(importOf(0, 0), importOf(0, 0))...))},
		{"exports: 2, the budget is 1", module(section(5, 1, 0, 1), section(7, vector([]byte{1, 'a', 2, 0}, []byte{1, 'b', 2, 0})...))},
		{"functions: 2, the budget is 1", functions(body(0), body(0))},
		{"bytes of function 0: 102, the budget is 100", function(0, bytes.Repeat([]byte{1}, 100)...)},
		{"locals of function 0: 70000, the budget is 1", function(70_000)},
		{"nested blocks of function 0: 2, the budget is 1", function(0, 2, 0x40, 2, 0x40, 0x0b, 0x0b)},
		{"targets of a br_table of function 0: 2, the budget is 1", function(0, 0x41, 0, 0x0e, 2, 0, 0, 0)},
		{"globals: 2, the budget is 1", module(section(2, vector(importOf(3, 0x7f, 0))...), section(6, 1, 0x7f, 0, 0x41, 0, 0x0b))},
		{"tables: 2, the budget is 1", module(section(4, vector([]byte{0x70, 0, 0}, []byte{0x70, 0, 0})...))},
		{"elements of tables: 134217728, the budget is 1", module(section(4, 1, 0x70, 0, 0x80, 0x80, 0x80, 0x40))},
		{"elements of tables: 2, the budget is 1", module(section(4, 1, 0x70, 0, 1), section(9, 1, 1, 0, 1, 0))},
		{"element segments: 2, the budget is 1", module(section(9, vector([]byte{1, 0, 0}, []byte{1, 0, 0})...))},
		{"data segments: 2, the budget is 1", module(section(11, vector([]byte{1, 0}, []byte{1, 0})...))},
	} {
		t.Run(c.says, func(t *testing.T) {
			m, err := wasm.Read(c.file)
			require.NoError(t, err)
			require.Empty(t, m.Features)
			found := m.Excesses(small())
			require.Len(t, found, 1)
			require.Equal(t, c.says, found[0].String())
		})
	}
}

// TestImportsCountInTheIndexOfAFunction is about the number in the message.
func TestImportsCountInTheIndexOfAFunction(t *testing.T) {
	m, err := wasm.Read(module(
		section(1, 1, 0x60, 0, 0), section(2, 1, 0, 0, 0, 0), section(3, 2, 0, 0), section(10, vector(body(0), body(5))...),
	))
	require.NoError(t, err)
	b := small()
	b.Functions = 2
	require.Equal(t, "locals of function 2: 5, the budget is 1", m.Excesses(b)[0].String())
}

// TestCompileBombs has shapes that take an engine seconds to minutes, or gigabytes: each is
// a function of at most 130 KB. Their engines' times are in budgets.go; none is compiled here.
func TestCompileBombs(t *testing.T) {
	const (
		localGet, localSet = 0x20, 0x21
		zero               = "\x41\x00"
		drop               = 0x1a
	)
	var (
		locals = func(op byte, n int) []byte { // op for each local, then drop where it leaves a value
			var b []byte
			for i := range n {
				b = sized(append(b, op), i)
				if op == localGet {
					b = append(b, drop)
				}
			}
			return b
		}
		repeat = func(code string, n int) []byte { return bytes.Repeat([]byte(code), n) }
		join   = func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	)
	pushed := repeat(zero, 1000)
	dropped := repeat("\x1a", 1000)
	wide := func(code ...[]byte) []byte { // type 1 takes and returns a thousand values
		thousand := append(sized(nil, 1000), bytes.Repeat([]byte{0x7f}, 1000)...)
		return module(
			section(1, join([]byte{2, 0x60, 0, 0, 0x60}, thousand, thousand)...),
			section(3, 2, 0, 1), section(5, 1, 0, 1),
			section(10, vector(body(0, join(code...)...), body(0, 0))...),
		)
	}
	for _, c := range []struct {
		name string
		file []byte
	}{
		{"locals read in nested loops", function(500, join(repeat("\x03\x40", 500), locals(localGet, 500), repeat(zero+"\x0d\x00\x0b", 500))...)},
		{"locals read after loops", function(1000, join(repeat("\x03\x40"+zero+"\x0d\x00\x0b", 1000), locals(localGet, 1000))...)},
		{"locals read after ifs", function(4000, join(repeat(zero+"\x04\x40\x20\x00\x21\x01\x0b", 4000), locals(localGet, 4000))...)},
		{"branches", function(0, join([]byte("\x02\x40"), repeat(zero+"\x0d\x00", 16_000), []byte{0x0b})...)},
		{"ifs", function(0, repeat(zero+"\x04\x40\x0b", 16_000)...)},
		{"nested ifs", function(0, join(repeat(zero+"\x04\x40", 16_000), repeat("\x0b", 16_000))...)},
		{"targets", function(0, join([]byte{0x41, 0, 0x0e, 0x80, 0xfa, 1}, make([]byte, 32_001))...)},
		{"loads before branches", function(1, join(
			[]byte("\x02\x40"), repeat(zero+"\x28\x02\x00\x21\x00\x20\x00\x28\x02\x00\x1a", 4000), repeat(zero+"\x0d\x00", 4000), []byte{0x0b},
		)...)},
		{"values on the stack", function(0, join(repeat(zero, 9000), repeat(zero+"\x04\x40\x0b", 9000), repeat("\x1a", 9000))...)},
		{"fills", function(0, repeat(zero+zero+zero+"\xfc\x0b\x00", 9000)...)},
		{"calls with many operands", wide(pushed, repeat("\x10\x01", 2000), dropped)},
		{"blocks with many operands", wide(pushed, repeat("\x02\x01\x0b", 2000), dropped)},
		{"loops with many operands", wide(pushed, repeat("\x03\x01"+zero+"\x0d\x00\x0b", 1000), dropped)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := wasm.Read(c.file)
			require.NoError(t, err)
			b := wasm.DefaultBudgets()
			b.Parameters, b.Results, b.Depth, b.Targets = 1e6, 1e6, 1e6, 1e6 // those would catch some on their own
			require.NotEmpty(t, m.Excesses(b))
			require.Less(t, m.Size, 130_000)
		})
	}
}

func TestManyGlobalsAndCalls(t *testing.T) {
	const n = 4000
	m, err := wasm.Read(module(
		section(1, 1, 0x60, 0, 0), section(3, 1, 0),
		section(6, append(sized(nil, n), bytes.Repeat([]byte{0x7f, 1, 0x41, 0, 0x0b}, n)...)...),
		section(10, vector(body(0, bytes.Repeat([]byte{0x10, 0}, n)...))...),
	))
	require.NoError(t, err)
	require.NotEmpty(t, m.Excesses(wasm.DefaultBudgets()))
}

func TestManyFunctionsWithManyLocals(t *testing.T) {
	m, err := wasm.Read(functions(slices.Repeat([][]byte{body(9000)}, 4000)...))
	require.NoError(t, err)
	found := m.Excesses(wasm.DefaultBudgets())
	require.Len(t, found, 1, "together they are too many, though none is on its own")
	require.Contains(t, found[0].String(), "nanoseconds of compiling")
}
