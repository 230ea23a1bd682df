package tool

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestFindSymbol(t *testing.T) {
	for name, test := range map[string]struct {
		line, symbol   string
		column, others int
	}{
		"alone":                       {"total", "total", 1, 0},
		"first of several":            {"total := total + total", "total", 1, 2},
		"not a part of a longer name": {"subtotal totals _total total_ total2 $total total", "total", 45, 0},
		"nor one of other letters":    {"étotal totalé total", "total", 15, 0},
		"nor before a combining mark": {"totale\u0301 totale", "totale", 9, 0},
		"with signs around it":        {"(total)", "total", 2, 0},
		"UTF-16 units":                {"😀名 total", "total", 5, 0},
		"overlapping itself":          {"aaa aa", "aa", 5, 0},
		"the last segment":            {"a.b", "a.b", 3, 0},
		"of a longer chain":           {"x.a.b", "x.a.b", 5, 0},
		"also when it stands alone":   {"b()", "a.b", 1, 0},
		"the qualified one first":     {"x.b(a.b)", "a.b", 7, 1},
		"not one qualified longer":    {"aa.b a.b", "a.b", 8, 1},
		"of C++":                      {"std::move(move)", "std::move", 6, 1},
		"of a pointer":                {"p->next", "p->next", 4, 0},
		"an operator":                 {"a+b", "+", 2, 0},
		"a dot":                       {"a.b", ".", 2, 0},
		"a call operator":             {"x::y", "::", 2, 0},
		"part of a sign":              {"a+=b", "+", 2, 0},
		"blanks around it":            {"a total", " total ", 3, 0},
		"with a hyphen":               {"my-func", "my-func", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			content := "first\r\n" + test.line + "\nlast"
			got, err := findSymbol(seam.NewText(content), 2, test.symbol, 0)
			require.NoError(t, err)
			require.Equal(t, 2, got.line)
			require.Equal(t, test.column, got.column)
			require.Equal(t, test.others, got.others)
		})
	}
}

// With a column beside the symbol, the whole token nearest to it is meant.
func TestFindSymbolNearest(t *testing.T) {
	const line = "total := 😀subtotal + cart.total + total" // at 1, 28 and 36
	for near, column := range map[int]int{
		1: 1, 6: 1, 13: 1, // past the first by 7, before the next by 15
		18: 28, 28: 28, 31: 28, 33: 28, // right behind it still
		34: 28, 35: 36, 36: 36, 100: 36, seam.MaxCoordinate: 36,
	} {
		got, err := findSymbol(seam.NewText(line), 1, "cart.total", near)
		require.NoError(t, err)
		require.Equal(t, column, got.column, "near %d", near)
		require.Equal(t, 2, got.others)
	}
	_, err := findSymbol(seam.NewText(line), 1, "gone", 3)
	require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
}

func TestFindSymbolRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		content, symbol string
		line            int
		want            string
	}{
		"elsewhere":         {"a\nb\na", "a", 2, `"a" is not on line 2: it is on lines 1, 3`},
		"on one other line": {"a\nb", "b", 1, `"b" is not on line 1: it is on line 2`},
		"on many":           {strings.Repeat("a\n", 12) + "b", "a", 13, `it is on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 2 more`},
		"nowhere":           {"ab", "a", 1, `"a" is not on line 1, nor anywhere else in the file`},
		"last segment only": {"a", "a.b", 1, `"b" is not on line 1, nor anywhere`},
		"past the text":     {"a\nb", "a", 3, "line 3 is outside the text, which has 2 lines"},
		"before the text":   {"a\nb", "a", 0, "line 0 is outside the text"},
		"a blank symbol":    {"a", " ", 1, "the symbol is blank"},
		"case matters":      {"Total", "total", 1, "nor anywhere else"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := findSymbol(seam.NewText(test.content), test.line, test.symbol, 0)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
		})
	}
}

func TestOccurrenceString(t *testing.T) {
	require.Equal(t, "a is at line 1, column 2.", occurrence{symbol: "a", line: 1, column: 2}.String())
	require.Equal(t, "a is at line 1, column 2; there is 1 other on that line.", occurrence{symbol: "a", line: 1, column: 2, others: 1}.String())
	require.Equal(t, `\x1b is at line 1, column 2; there are 2 others on that line.`, occurrence{symbol: "\x1b", line: 1, column: 2, others: 2}.String())
}

// What is found stands there, in the terms of the package that converts positions.
func FuzzFindSymbol(f *testing.F) {
	f.Add("a.b(c)\n😀 b", 2, "a.b", 0)
	f.Add("x\r\ny", 1, "::", 1)
	f.Add("b a.b b", 1, "a.b", 7)
	f.Add("0", 1, strings.Repeat("\x99", 100), 1)
	f.Fuzz(func(t *testing.T, content string, line int, symbol string, near int) {
		found, err := findSymbol(seam.NewText(content), line, symbol, near)
		if err != nil {
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			return
		}
		if !utf8.ValidString(content) || !utf8.ValidString(symbol) {
			return
		}
		position, err := seam.FromOneBased(found.line, found.column)
		require.NoError(t, err)
		offset, err := seam.NewText(content).Offset(position)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(content[offset:], found.symbol))
		require.True(t, strings.HasSuffix(strings.TrimSpace(symbol), found.symbol))
	})
}
