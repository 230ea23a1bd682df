package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]tool.Place{
		"main.go:12:5":           {File: "main.go", Line: 12, Column: 5},
		"main.go:12":             {File: "main.go", Line: 12},
		"/a/b.go:1:1":            {File: "/a/b.go", Line: 1, Column: 1},
		`C:\x.go:3:4`:            {File: `C:\x.go`, Line: 3, Column: 4},
		`C:\x.go:3`:              {File: `C:\x.go`, Line: 3},
		"C:/x.go:3:4":            {File: "C:/x.go", Line: 3, Column: 4},
		"a:b.go:3:4":             {File: "a:b.go", Line: 3, Column: 4},
		"a:1:2:3":                {File: "a:1", Line: 2, Column: 3},
		"with blank.go:1:2":      {File: "with blank.go", Line: 1, Column: 2},
		" a.go:1:2":              {File: " a.go", Line: 1, Column: 2},
		"a.go:007:2147483647":    {File: "a.go", Line: 7, Column: seam.MaxCoordinate},
		"Makefile:2147483647:01": {File: "Makefile", Line: seam.MaxCoordinate, Column: 1},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := tool.ParsePlace(text)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

// A-187, as far as it is about coordinates.
func TestParsePlaceRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      `"" has no line`,
		"main.go":                               `"main.go" has no line`,
		"main.go:":                              `"main.go:" has no line`,
		`C:\x.go`:                               `"C:\\x.go" has no line`,
		"C:/x.go":                               `"C:/x.go" has no line`,
		"main.go:x":                             `the line "x" of "main.go:x" is no whole number`,
		"main.go:12:":                           `the column "" of "main.go:12:" is no whole number`,
		"main.go:12:x":                          `the column "x" of "main.go:12:x" is no whole number`,
		"main.go:12:1.5":                        `the column "1.5" of`,
		"main.go:12:+1":                         `the column "+1" of`,
		"main.go:12: 1":                         `the column " 1" of`,
		"main.go:0:1":                           `line 0 of "main.go:0:1" is too small`,
		"main.go:1:0":                           `column 0 of`,
		"main.go:0":                             `line 0 of`,
		"main.go:-3:1":                          `line -3 of`,
		"main.go:1:-1":                          `column -1 of`,
		"main.go:2147483648":                    `line 2147483648 of "main.go:2147483648" is too large: the largest is 2147483647`,
		"main.go:1:" + strings.Repeat("9", 40):  "is too large",
		"main.go:1:-" + strings.Repeat("9", 40): "is too small",
		":1:2":                                  `":1:2" names no file`,
		"  :1:2":                                "names no file",
		"١٢.go:١:٢":                             "is no whole number",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := tool.ParsePlace(text)
			require.ErrorContains(t, err, want)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
		})
	}
}

// the numbers are made zero-based here, and one-based again where they are shown.
func TestPlacePosition(t *testing.T) {
	position, err := tool.Place{File: "a", Line: 3, Column: 1}.Position()
	require.NoError(t, err)
	require.Equal(t, seam.Position{Line: 2, Character: 0}, position)
	_, err = tool.Place{File: "a", Line: 3}.Position()
	require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
}

func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"main.go:12:5", `C:\x.go:3:4`, "a:1", ":::", "a:-1:-0", "a:1:x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place, err := tool.ParsePlace(text)
		if err != nil {
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			return
		}
		require.NotEmpty(t, strings.TrimSpace(place.File))
		require.Positive(t, place.Line)
		require.GreaterOrEqual(t, place.Column, 0)
		again := fmt.Sprintf("%s:%d:%d", place.File, place.Line, max(place.Column, 1))
		parsed, err := tool.ParsePlace(again)
		require.NoError(t, err)
		require.Equal(t, tool.Place{File: place.File, Line: place.Line, Column: max(place.Column, 1)}, parsed)
	})
}
