package seam_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func at(line, character int) seam.Position { return seam.Position{Line: line, Character: character} }

// zero-based lines and UTF-16 units.
func TestTextConverts(t *testing.T) {
	const content = "ab\r\né😀價 x\rlast\n"
	text := seam.NewText(content)
	require.Equal(t, 4, text.Lines())
	cases := []struct {
		name     string
		position seam.Position
		offset   int
	}{
		{"start", at(0, 0), 0},
		{"end of line", at(0, 2), 2},
		{"after CRLF", at(1, 0), 4},
		{"after two bytes", at(1, 1), 6},
		{"after a surrogate pair", at(1, 3), 10},
		{"after CJK", at(1, 4), 13},
		{"end before CR", at(1, 6), 15},
		{"after CR", at(2, 0), 16},
		{"after LF, empty last line", at(3, 0), 21},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			offset, err := text.Offset(c.position)
			require.NoError(t, err)
			require.Equal(t, c.offset, offset)
			position, err := text.Position(c.offset)
			require.NoError(t, err)
			require.Equal(t, c.position, position)
			require.NoError(t, seam.CheckPosition(content, c.position))
		})
	}
	offset, err := text.Offset(at(1, 2)) // between the units of the emoji
	require.NoError(t, err)
	require.Equal(t, 6, offset)
	position, err := text.Position(8) // inside the emoji
	require.NoError(t, err)
	require.Equal(t, at(1, 1), position)
	position, err = text.Position(3) // inside CRLF
	require.NoError(t, err)
	require.Equal(t, at(0, 2), position)
	line, ok := text.Line(1)
	require.True(t, ok)
	require.Equal(t, "é😀價 x", line)
	_, ok = text.Line(4)
	require.False(t, ok)
}

func TestPositionsOutside(t *testing.T) {
	const content = "one\nt😀\r\n"
	cases := []struct {
		name     string
		position seam.Position
		says     string
	}{
		{"A-026 negative line", at(-1, 0), "coordinates"},
		{"A-026 negative character", at(0, -1), "coordinates"},
		{"above 2^31-1", at(1<<31, 0), "coordinates"},
		{"line past the end", at(3, 0), "line 4 is outside the text, which has 3 lines"},
		{"far past the end", at(1<<30, 0), "which has 3 lines"},
		{"character past the end", at(0, 4), "character 5 is outside line 1, which has 3 characters: use 1 to 4"},
		{"in UTF-16 units", at(1, 4), "character 5 is outside line 2, which has 3 characters"},
		{"inside the line break", at(1, 5), "which has 3 characters"},
		{"on the empty last line", at(2, 1), "line 3, which has 0 characters: use 1 to 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := seam.CheckPosition(content, c.position)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			require.ErrorContains(t, err, c.says)
			_, err = seam.NewText(content).Offset(c.position)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
		})
	}
	for _, offset := range []int{-1, len(content) + 1} {
		_, err := seam.NewText(content).Position(offset)
		require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
	}
}

func TestOneBased(t *testing.T) {
	p, err := seam.FromOneBased(3, 1)
	require.NoError(t, err)
	require.Equal(t, at(2, 0), p)
	line, character := p.OneBased()
	require.Equal(t, [2]int{3, 1}, [2]int{line, character})
	for _, bad := range [][2]int{{0, 1}, {1, 0}, {-1, 1}, {1 << 31, 1}, {1, 1 << 31}} {
		_, err := seam.FromOneBased(bad[0], bad[1])
		require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err), "%v", bad)
	}
}

// Every offset of a character goes to a position and back, and the units agree with
// the standard library's UTF-16.
func FuzzText(f *testing.F) {
	f.Add("a\nb\r\nc\rd", 3)
	f.Add("é😀價\n", 5)
	f.Add("\r\r\n\n", 2)
	f.Add("\xff\xc3", 1)
	f.Fuzz(func(t *testing.T, content string, offset int) {
		text := seam.NewText(content)
		position, err := text.Position(offset)
		if offset < 0 || offset > len(content) {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		if !utf8.ValidString(content) {
			return // sources are valid UTF-8; anything else must only not panic
		}
		require.NoError(t, seam.CheckPosition(content, position))
		back, err := text.Offset(position)
		require.NoError(t, err)
		require.LessOrEqual(t, back, offset)
		line, ok := text.Line(position.Line)
		require.True(t, ok)
		require.NotContains(t, line, "\n")
		require.Equal(t, len(utf16.Encode([]rune(line))), seam.UTF16Len(line))
		require.Equal(t, len(utf16.Encode([]rune(line[:back-lineStart(content, back)]))), position.Character)
		again, err := text.Position(back)
		require.NoError(t, err)
		require.Equal(t, position, again)
	})
}

// lineStart finds the start of a line by looking backwards, unlike Text.
func lineStart(content string, offset int) int {
	return strings.LastIndexAny(content[:offset], "\r\n") + 1
}

func BenchmarkCheckPosition(b *testing.B) {
	content := strings.Repeat("func price() int { return 1 }\n", 2000)
	b.ReportAllocs()
	for b.Loop() {
		if err := seam.CheckPosition(content, at(1990, 12)); err != nil {
			b.Fatal(err)
		}
	}
}
