package tool_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

func at(uri string, line, character int) seam.Location {
	start := seam.Position{Line: line, Character: character}
	return seam.Location{URI: uri, Range: seam.Range{Start: start, End: seam.Position{Line: line + 1}}}
}

func found(items ...seam.Location) seam.Locations {
	return seam.Locations{Items: items, WorkspaceURI: "file:///work%20space"}
}

func TestRender(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("these URIs name no paths here")
	}
	for name, test := range map[string]struct {
		result seam.Result
		want   string
	}{
		"A-201 nothing found":       {found(), "No results."},
		"A-201 no hover":            {seam.HoverResult{}, "No hover information."},
		"A-202 from one, the start": {found(at("file:///work%20space/a.go", 0, 0), at("file:///work%20space/a.go", 4, 2)), "a.go:1:1\na.go:5:3"},
		"A-203 grouped by file": {
			found(at("file:///work%20space/b", 9, 0), at("file:///work%20space/a", 0, 0), at("file:///work%20space/b", 2, 0)),
			"b:10:1\nb:3:1\na:1:1",
		},
		"A-203 by the path as it is shown": {
			found(at("file:///work%20space/%61", 0, 0), at("file:///other", 0, 0), at("file:///work%20space/a", 1, 0)),
			"a:1:1\na:2:1\n/other:1:1",
		},
		"A-207 no file":                {found(at("untitled:x#1", 0, 0), at("jdt://a/b?c", 0, 0)), "untitled:x#1:1:1\njdt://a/b?c:1:1"},
		"A-207 any case of the scheme": {found(at("FILE:///work%20space/a", 0, 0)), "a:1:1"},
		"A-208 inside":                 {found(at("file:///work%20space/s%C3%BCb/a%20b", 0, 0)), "süb/a b:1:1"},
		"A-208 the root itself":        {found(at("file:///work%20space", 0, 0), at("file:///work%20space/", 0, 0)), ".:1:1\n.:1:1"},
		"A-208 dots in a name":         {found(at("file:///work%20space/..generated/a", 0, 0)), "..generated/a:1:1"},
		"A-209 outside":                {found(at("file:///usr/lib/%C3%BC", 0, 0)), "/usr/lib/ü:1:1"},
		"A-212 a backslash":            {found(at("file:///work%20space/a%5Cb", 0, 0)), `a\b:1:1`},
		"A-213 an encoded separator":   {found(at("file:///work%20space/a%2Fb", 0, 0)), "file:///work%20space/a%2Fb:1:1"},
		"A-213 a malformed escape":     {found(at("file:///work%20space/a%zz", 0, 0)), "file:///work%20space/a%zz:1:1"},
		"A-213 an encoded NUL":         {found(at("file:///work%20space/a%00", 0, 0)), "file:///work%20space/a%00:1:1"},
		"A-213 no workspace":           {seam.Locations{Items: []seam.Location{at("file:///a/b", 0, 0)}}, "/a/b:1:1"},
		"A-214 a shorter sibling":      {found(at("file:///work", 0, 0)), "/work:1:1"},
		"A-214 a longer sibling":       {found(at("file:///work%20space2/a", 0, 0)), "/work space2/a:1:1"},
		"A-216 control characters":     {found(at("file:///work%20space/a%0A%1B%7F%C2%85%FF", 0, 0)), `a\n\x1b\x7f\u0085\xff:1:1`},
		"A-216 in what is no file":     {found(at("x:\n", 0, 0)), `x:\n:1:1`},
		"A-217 hover":                  {seam.HoverResult{Hover: &seam.Hover{Contents: "```go\n\tx  \r\n```\n名😀"}}, "```go\n\tx  \r\n```\n名😀"},
		"hover of nothing but blanks":  {seam.HoverResult{Hover: &seam.Hover{}}, ""},
		"hover cannot act on a terminal": {
			seam.HoverResult{Hover: &seam.Hover{Contents: "a\x1b[2Jb\rc\u009b"}},
			`a\x1b[2Jb\rc\u009b`,
		},
		"the root of the file system": {
			seam.Locations{WorkspaceURI: "file:///", Items: []seam.Location{at("file:///a/b", 0, 0), at("file:///", 0, 0)}},
			"a/b:1:1\n.:1:1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, tool.Render(test.result))
		})
	}
}

func TestRenderIncomplete(t *testing.T) {
	locations := found()
	locations.Completeness = seam.Incomplete
	hover := seam.HoverResult{Hover: &seam.Hover{Contents: "x"}, Completeness: seam.Incomplete}
	for result, text := range map[string]string{tool.Render(locations): "No results.\n", tool.Render(hover): "x\n"} {
		require.True(t, strings.HasPrefix(result, text), result)
		require.Contains(t, result, "incomplete")
		require.Equal(t, 1, strings.Count(result, "\n"))
	}
	for _, whole := range []seam.Completeness{seam.Unknown, seam.Complete} {
		require.Equal(t, "No results.", tool.Render(seam.Locations{Completeness: whole}))
	}
}

// Nothing that a server says can leave its line or act on a terminal.
func FuzzRender(f *testing.F) {
	f.Add("file:///w/a%0A", "file:///w")
	f.Add("\x1b[2J", "untitled:")
	f.Fuzz(func(t *testing.T, uri, workspace string) {
		text := tool.Render(seam.Locations{Items: []seam.Location{at(uri, 0, 0)}, WorkspaceURI: workspace})
		require.True(t, strings.HasSuffix(text, ":1:1"))
		require.NotContains(t, text, "\n")
		require.Equal(t, text, tool.Escape(text))
	})
}
