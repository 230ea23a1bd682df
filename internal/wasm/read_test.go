package wasm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/wasm"
)

func TestReadTellsWhatAModuleHas(t *testing.T) {
	m, err := wasm.Read(file(t, "every.wasm"))
	require.NoError(t, err)
	three := abi.Signature{Params: []abi.ValueType{abi.I32, abi.I32, abi.I32}}
	require.Equal(t, []wasm.Import{
		{Module: "navseam_v1", Name: "log", Kind: wasm.FunctionKind, Signature: three},
		{Module: "navseam_v1", Name: "log", Kind: wasm.FunctionKind, Signature: three},
		{Module: "env", Name: "base", Kind: wasm.GlobalKind},
	}, m.Imports)
	require.Equal(t, []wasm.Export{
		{Name: "memory", Kind: wasm.MemoryKind, Index: 0},
		{Name: "two", Kind: wasm.FunctionKind, Index: 3},
		{Name: "control", Kind: wasm.FunctionKind, Index: 4},
		{Name: "count", Kind: wasm.GlobalKind, Index: 1},
	}, m.Exports)
	require.Equal(t, []wasm.Limits{
		{Min: 3, Max: 10, HasMax: true, Element: 0x70},
		{Min: 1, Element: 0x6f},
	}, m.Tables)
	require.Equal(t, []wasm.Limits{{Min: 1, Max: 2, HasMax: true}}, m.Memories)
	require.Equal(t, 4, m.Globals)
	require.Equal(t, 3, m.MutableGlobals)
	require.EqualValues(t, 2, *m.Start)
	require.Equal(t, 4, m.ElementSegments)
	require.EqualValues(t, 2+1+2+1, m.Elements)
	require.Equal(t, 2, m.DataSegments)
	require.EqualValues(t, len("active")+len("passive"), m.DataBytes)
	require.Len(t, m.CustomSections, 1)
	require.Equal(t, "name", m.CustomSections[0].Name)
	require.Empty(t, m.Features)
	require.Empty(t, m.Excesses(wasm.DefaultBudgets()))

	two, ok := m.Function("two")
	require.True(t, ok)
	require.Equal(t, "(i32, i64) -> i32", two.String())
	for _, name := range []string{"count", "nothing"} {
		_, ok = m.Function(name)
		require.False(t, ok, name)
	}
}

func TestReadWalksFunctions(t *testing.T) {
	m, err := wasm.Read(file(t, "every.wasm"))
	require.NoError(t, err)
	start, two, control, bulk, simd := m.Functions[0], m.Functions[1], m.Functions[2], m.Functions[3], m.Functions[4]

	require.EqualValues(t, 5, start.Instructions) // with the end
	require.EqualValues(t, 4, two.Locals)
	require.EqualValues(t, 1, two.Calls)
	require.False(t, two.Checked)

	require.EqualValues(t, 6, control.Blocks)
	require.EqualValues(t, 4, control.Depth)
	require.EqualValues(t, 1, control.Loops)
	require.EqualValues(t, 2, control.Targets)
	require.EqualValues(t, 1, control.Calls)
	require.True(t, control.Checked, "the loop is entered before anything else happens")

	require.EqualValues(t, 8, bulk.Bulk)
	require.Zero(t, simd.Bulk)
}

// TestReadAgreesWithAnEngine keeps the tables of instructions honest.
func TestReadAgreesWithAnEngine(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"every.wasm", "runs.wasm"} {
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		_, err := r.CompileModule(ctx, file(t, name))
		require.NoError(t, err, name)
		require.NoError(t, r.Close(ctx))
	}
}

func TestEveryTruncationIsRefusedOrReadsAsAModule(t *testing.T) {
	whole := file(t, "every.wasm")
	cut := 0
	for n := range whole {
		if _, err := wasm.Read(whole[:n]); err != nil {
			cut++
			var format *wasm.FormatError
			require.ErrorAs(t, err, &format)
			require.LessOrEqual(t, format.Offset, n)
		}
	}
	require.Greater(t, cut, len(whole)*9/10, "between sections there are few places to cut")
}

func TestReadRefuses(t *testing.T) {
	void := section(1, 1, 0x60, 0, 0)
	one := section(3, 1, 0)
	for _, c := range []struct {
		name, says string
		file       []byte
	}{
		{"section code", "offset 0x8: unknown section 14", module(section(14))},
		{"section size", "the type section has 9 bytes, and 1 are left", module([]byte{1, 9, 0})},
		{"order", "the type section is there twice or in the wrong place", module(section(5, 0), void)},
		{"twice", "the type section is there twice", module(void, void)},
		{"data count after code", "the data count section is there twice or in the wrong place", module(section(10, 0), section(12, 0))},
		{"trailing bytes", "type section, offset 0xe: 1 bytes follow", module(section(1, 1, 0x60, 0, 0, 7))},
		{"count", "268435455 types do not fit in the 0 bytes", module(section(1, 0xff, 0xff, 0xff, 0x7f))},
		{"overlong number", "longer than 32 bits", module(section(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0))},
		{"number of 33 bits", "longer than 32 bits", module(section(1, 0x80, 0x80, 0x80, 0x80, 0x10))},
		{"type form", "begins with 0x61", module(section(1, 1, 0x61, 0, 0))},
		{"value type", "is no value type: 0x40", module(section(1, 1, 0x60, 1, 0x40, 0))},
		{"import of no type", "type 1 does not exist: there are 1", module(void, section(2, 1, 0, 0, 0, 1))},
		{"import kind", "unknown kind 9", module(section(2, 1, 0, 0, 9, 0))},
		{"name", "import section, offset 0xc: the module of an import is not UTF-8", module(section(2, 1, 1, 0xff, 0, 0, 0))},
		{"function type", "type 5 does not exist", module(void, section(3, 1, 5))},
		{"no code", "declares 1 functions, the code section has 0", module(void, one)},
		{"no functions", "declares 0 functions, the code section has 1", module(void, section(10, 1, 2, 0, 0x0b))},
		{"limits", "a minimum of 2, larger than its maximum of 1", module(section(5, 1, 1, 2, 1))},
		{"limits form", "unknown form: 0x10", module(section(5, 1, 0x10, 1))},
		{"global", "constant (0) or mutable (1), not 7", module(section(6, 1, 0x7f, 7, 0x41, 0, 0x0b))},
		{"constant", "not constant: 0x20", module(section(6, 1, 0x7f, 0, 0x20, 0, 0x0b))},
		{"export twice", `"a" is exported twice`, module(section(5, 1, 0, 1), section(7, 2, 1, 'a', 2, 0, 1, 'a', 2, 0))},
		{"export of nothing", "exported func 0 does not exist: there are 0", module(section(7, 1, 1, 'a', 0, 0))},
		{"export kind", "unknown kind 5", module(section(7, 1, 1, 'a', 5, 0))},
		{"start", "the start function 3 does not exist", module(section(8, 3))},
		{"element form", "unknown form 8", module(section(9, 1, 8, 0))},
		{"data form", "unknown form 3", module(section(11, 1, 3, 0))},
		{"data size", "a data segment has 5 bytes, and 1 are left", module(section(11, 1, 1, 5, 0))},
		{"data count", "says 2 data segments, the data section has 1", module(section(12, 2), section(11, 1, 1, 0))},

		{"function size", "a function has 99 bytes", module(void, one, section(10, 1, 99, 0, 0x0b))},
		{"no end", "an instruction or end is missing", module(void, one, section(10, 1, 2, 0, 1))},
		{"after the end", "1 bytes follow the end of a function", function(0, 0x0b)},
		{"locals", "offset 0x19: the length of a run of locals is missing", module(void, one, section(10, 1, 3, 1, 0x80, 0x80))},
		{"runs of locals", "9 runs of locals do not fit", module(void, one, section(10, 1, 2, 9, 0x0b))},
		{"instruction", "unknown instruction 0x27", function(0, 0x27)},
		{"misc instruction", "unknown instruction 0xfc 0x12", function(0, 0xfc, 18)},
		{"vector instruction", "unknown instruction 0xfd9a01", function(0, 0xfd, 0x9a, 1)},
		{"vector instruction in a longer form", "longer than it must be", function(0, 0xfd, 0x8c, 0)},
		{"i32.const", "longer than 32 bits", function(0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x08, 0x1a)},
		{"i64.const", "longer than 64 bits", function(0, 0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x1a)},
		{"block type", "a block of an unknown type", function(0, 2, 0xc0, 0x7f, 0x0b)},
		{"else", "else without if", function(0, 2, 0x40, 5, 0x0b)},
		{"branch", "a branch out of 3 blocks where 2 are open", function(0, 2, 0x40, 0x0c, 2, 0x0b)},
		{"br_table", "100 labels do not fit", function(0, 0x41, 0, 0x0e, 100, 0)},
		{"call", "does not exist: 7", function(0, 0x10, 7)},
		{"memory index", "has 2 bytes, not one", function(0, 0x3f, 0x80, 0, 0x1a)},
		{"alignment", "an alignment of 2^128", function(0, 0x41, 0, 0x28, 0x80, 1, 0, 0x1a)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := wasm.Read(c.file)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "offset 0x")
		})
	}
}

func TestReadAcceptsPaddedNumbers(t *testing.T) {
	m, err := wasm.Read(module(section(1, 0x81, 0x80, 0x80, 0x80, 0, 0x60, 0, 0), []byte{0, 0x82, 0x80, 0x80, 0x80, 0, 1, 'x'}))
	require.NoError(t, err)
	require.Len(t, m.Types, 1)
	require.Equal(t, []wasm.CustomSection{{Name: "x", Size: 2}}, m.CustomSections)
}

func TestReadSumsLocalsOf64Bits(t *testing.T) {
	const most = "\xff\xff\xff\xff\x0f" // 2^32-1
	code := append([]byte{2}, most+"\x7f"+most+"\x7e\x0b"...)
	m, err := wasm.Read(functions(append(sized(nil, len(code)), code...)))
	require.NoError(t, err)
	require.EqualValues(t, 2*(1<<32-1), m.Functions[0].Locals)
	require.Len(t, m.Excesses(wasm.DefaultBudgets()), 3, "locals, and the work for function and module")
}

func TestFeatures(t *testing.T) {
	void := section(1, 1, 0x60, 0, 0)
	for _, c := range []struct {
		name    string
		feature wasm.Feature
		file    []byte
	}{
		{"memory64", wasm.Memory64, module(section(5, 1, 4, 0x80, 0x80, 0x80, 0x80, 0x80, 1))},
		{"table64", wasm.Memory64, module(section(4, 1, 0x70, 5, 0, 9))},
		{"shared memory", wasm.Threads, module(section(5, 1, 3, 1, 2))},
		{"atomics", wasm.Threads, function(0, 0xfe, 3, 0)},
		{"two memories", wasm.MultipleMemories, module(section(5, 2, 0, 1, 0, 1))},
		{"imported and own memory", wasm.MultipleMemories, module(section(2, 1, 0, 0, 2, 0, 1), section(5, 1, 0, 1))},
		{"load from another memory", wasm.MultipleMemories, function(0, 0x41, 0, 0x28, 0x42, 1, 0, 0x1a)},
		{"memory.size of another memory", wasm.MultipleMemories, function(0, 0x3f, 1, 0x1a)},
		{"return_call", wasm.TailCalls, function(0, 0x12, 0)},
		{"tag section", wasm.Exceptions, module(void, section(13, 1, 0, 0))},
		{"imported tag", wasm.Exceptions, module(void, section(2, 1, 0, 0, 4, 0, 0))},
		{"try_table", wasm.Exceptions, function(0, 0x1f, 0x40, 0, 0x0b)},
		{"legacy try", wasm.Exceptions, function(0, 6, 0x40, 0x19, 0x0b)},
		{"struct type", wasm.GC, module(section(1, 1, 0x5f, 0))},
		{"recursive types", wasm.GC, module(section(1, 1, 0x4e, 1, 0x5f, 0))},
		{"anyref", wasm.GC, module(section(1, 1, 0x60, 1, 0x6e, 0))},
		{"struct.new", wasm.GC, function(0, 0xfb, 0, 0)},
		{"call_ref", wasm.FunctionReferences, function(0, 0x14, 0)},
		{"(ref null 0)", wasm.FunctionReferences, module(section(1, 2, 0x60, 0, 0, 0x60, 1, 0x63, 0, 0))},
		{"table with a value", wasm.FunctionReferences, module(section(4, 1, 0x40, 0, 0x70, 0, 1, 0xd0, 0x70, 0x0b))},
		{"relaxed_madd", wasm.RelaxedSIMD, function(0, 0xfd, 0x85, 2)},
		{"extended constant", wasm.ExtendedConst, module(section(6, 1, 0x7f, 0, 0x41, 1, 0x41, 2, 0x6a, 0x0b))},
		{"cont type", wasm.StackSwitching, module(section(1, 1, 0x5d, 0))},
		{"i64.add128", wasm.WideArithmetic, function(0, 0xfc, 0x13)},
		{"page size", wasm.CustomPageSizes, module(section(5, 1, 8, 1, 0))},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := wasm.Read(c.file)
			require.NoError(t, err)
			require.Equal(t, []wasm.Feature{c.feature}, m.Features)
			require.NotEmpty(t, c.feature.String())
			require.NotEmpty(t, c.feature.Hint())
			_, err = m.Rewrite(c.file, wasm.Rewrite{})
			require.ErrorContains(t, err, c.feature.String())
		})
	}
}

func TestFeaturesOfAllFunctionsAreFound(t *testing.T) {
	m, err := wasm.Read(functions(body(0, 0x12, 0), body(0, 0x06, 0x40, 0x0b), body(0, 0x12, 0)))
	require.NoError(t, err)
	require.Equal(t, []wasm.Feature{wasm.TailCalls, wasm.Exceptions}, m.Features)
}

func TestManyCustomSections(t *testing.T) {
	_, err := wasm.Read([]byte(header + strings.Repeat("\x00\x01\x00", 10_001)))
	require.ErrorContains(t, err, "more than 10000 custom sections")
}
