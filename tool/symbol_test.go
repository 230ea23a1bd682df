package tool_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
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
			got, err := tool.FindSymbol(content, 2, test.symbol)
			require.NoError(t, err)
			require.Equal(t, 2, got.Line)
			require.Equal(t, test.column, got.Column)
			require.Equal(t, test.others, got.Others)
		})
	}
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
			_, err := tool.FindSymbol(test.content, test.line, test.symbol)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
		})
	}
}

func TestOccurrenceString(t *testing.T) {
	require.Equal(t, "a is at line 1, column 2.", tool.Occurrence{Symbol: "a", Line: 1, Column: 2}.String())
	require.Equal(t, "a is at line 1, column 2; there is 1 other on that line.", tool.Occurrence{Symbol: "a", Line: 1, Column: 2, Others: 1}.String())
	require.Equal(t, `\x1b is at line 1, column 2; there are 2 others on that line.`, tool.Occurrence{Symbol: "\x1b", Line: 1, Column: 2, Others: 2}.String())
}

// What is found stands there, in the terms of the package that converts positions.
func FuzzFindSymbol(f *testing.F) {
	f.Add("a.b(c)\n😀 b", 2, "a.b")
	f.Add("x\r\ny", 1, "::")
	f.Fuzz(func(t *testing.T, content string, line int, symbol string) {
		found, err := tool.FindSymbol(content, line, symbol)
		if err != nil {
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			return
		}
		if !utf8.ValidString(content) || !utf8.ValidString(symbol) {
			return
		}
		position, err := seam.FromOneBased(found.Line, found.Column)
		require.NoError(t, err)
		offset, err := seam.NewText(content).Offset(position)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(content[offset:], found.Symbol))
		require.True(t, strings.HasSuffix(strings.TrimSpace(symbol), found.Symbol))
	})
}
