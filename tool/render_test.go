package tool

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func at(uri string, line, character int) seam.Location {
	start := seam.Position{Line: line, Character: character}
	return seam.Location{URI: uri, Range: seam.Range{Start: start, End: seam.Position{Line: line + 1}}}
}

func found(items ...seam.Location) seam.Locations {
	return seam.Locations{Items: items, WorkspaceURI: "file:///work%20space"}
}

// showOf is an answer as a tool without snippets shows it.
func showOf(result seam.Result, config Config) Answer {
	t := New(nil, config)
	defer t.Close()
	return t.Show(context.Background(), Finding{Result: result, root: "/work space/that/is/not"})
}

// linesOf are those of the locations, and the footer.
func linesOf(text string) (lines, footer string) {
	end := strings.LastIndexByte(text, '\n')
	return text[:max(end, 0)], text[end+1:]
}

func TestRender(t *testing.T) {
	for name, test := range map[string]struct {
		result seam.Result
		want   string
	}{
		"A-202 from one, the start": {found(at("file:///work%20space/a.go", 0, 0), at("file:///work%20space/a.go", 4, 2)), "a.go:1:1\na.go:5:3"},
		"A-203 grouped by file": {
			found(at("file:///work%20space/b", 9, 0), at("file:///work%20space/a", 0, 0), at("file:///work%20space/b", 2, 0)),
			"b:10:1\nb:3:1\na:1:1",
		},
		"A-203 by the path as it is shown": {
			found(at("file:///work%20space/%61", 0, 0), at("file:///other", 0, 0), at("file:///work%20space/a", 1, 0)),
			"a:1:1\na:2:1\n/other:1:1 [outside workspace]",
		},
		"A-207 no file":                      {found(at("untitled:x#1", 0, 0), at("jdt://a/b?c", 0, 0)), "untitled:x#1:1:1\njdt://a/b?c:1:1"},
		"A-207 any case of the scheme":       {found(at("FILE:///work%20space/a", 0, 0)), "a:1:1"},
		"A-208 inside":                       {found(at("file:///work%20space/s%C3%BCb/a%20b", 0, 0)), "süb/a b:1:1"},
		"A-208 the root itself":              {found(at("file:///work%20space", 0, 0), at("file:///work%20space/", 1, 0)), ".:1:1\n.:2:1"},
		"A-208 dots in a name":               {found(at("file:///work%20space/..generated/a", 0, 0)), "..generated/a:1:1"},
		"A-209 outside":                      {found(at("file:///usr/lib/%C3%BC", 0, 0)), "/usr/lib/ü:1:1 [outside workspace]"},
		"A-212 a backslash":                  {found(at("file:///work%20space/a%5Cb", 0, 0)), `a\b:1:1`},
		"A-213 an encoded separator":         {found(at("file:///work%20space/a%2Fb", 0, 0)), "file:///work%20space/a%2Fb:1:1"},
		"A-213 a malformed escape":           {found(at("file:///work%20space/a%zz", 0, 0)), "file:///work%20space/a%zz:1:1"},
		"A-213 an encoded NUL":               {found(at("file:///work%20space/a%00", 0, 0)), "file:///work%20space/a%00:1:1"},
		"A-213 no workspace":                 {seam.Locations{Items: []seam.Location{at("file:///a/b", 0, 0)}}, "file:///a/b:1:1"},
		"A-214 a shorter sibling":            {found(at("file:///work", 0, 0)), "/work:1:1 [outside workspace]"},
		"A-214 a longer sibling":             {found(at("file:///work%20space2/a", 0, 0)), "/work space2/a:1:1 [outside workspace]"},
		"A-216 control characters":           {found(at("file:///work%20space/a%0A%1B%7F%C2%85%FF", 0, 0)), `a\n\x1b\x7f\u0085\xff:1:1`},
		"A-216 in what is no file":           {found(at("x:\n", 0, 0)), `x:\n:1:1`},
		"A-208 a segment of dots is no name": {found(at("file:///work%20space/../x", 0, 0), at("file:///work%20space/a/../../work%20space/./b", 0, 0)), "/x:1:1 [outside workspace]\nb:1:1"},
		"duplicates are shown once":          {found(at("file:///work%20space/a", 0, 0), at("file:///work%20space/%61", 0, 0), at("file:///work%20space/a", 0, 1)), "a:1:1\na:1:2"},
		"A-216 what is not seen":             {found(at("file:///work%20space/a%E2%80%AEb%E2%80%8B%E2%80%A8", 0, 0)), `a\u202eb\u200b\u2028:1:1`},
		"the root of the file system": {
			seam.Locations{WorkspaceURI: "file:///", Items: []seam.Location{at("file:///a/b", 0, 0), at("file:///", 0, 0)}},
			"a/b:1:1\n.:1:1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			lines, footer := linesOf(showOf(test.result, Config{}).Text)
			require.Equal(t, test.want, lines)
			require.Regexp(t, `^\d+ locations? in \d+ files?\.$`, footer)
		})
	}
}

// a workspace of Windows is known by its URI, on any machine.
func TestRenderWindows(t *testing.T) {
	const drive, share = "file:///c:/workspace", "file://server/share/ws"
	for name, test := range map[string]struct{ workspace, uri, want string }{
		"A-210 without case":               {drive, "file:///C:/WORKSPACE/src/a.ts", "src/a.ts"},
		"A-210 an encoded colon":           {"file:///c%3A/workspace", "file:///c:/workspace/a.ts", "a.ts"},
		"A-209 outside, with slashes":      {drive, "file:///C:/other/a.ts", "C:/other/a.ts [outside workspace]"},
		"A-208 the root":                   {drive, "file:///c:/workspace/", "."},
		"A-214 a longer name":              {drive, "file:///c:/workspace2/a", "c:/workspace2/a [outside workspace]"},
		"A-211 the same share":             {share, "file://SERVER/Share/ws/a.ts", "a.ts"},
		"A-211 another machine":            {share, "file://other/share/ws/a.ts", "//other/share/ws/a.ts [outside workspace]"},
		"A-211 a drive":                    {share, "file:///D:/a.ts", "D:/a.ts [outside workspace]"},
		"A-211 a path of no drive":         {share, "file:///a.ts", "/a.ts [outside workspace]"},
		"A-211 the same under a drive":     {drive, "file:///a.ts", "/a.ts [outside workspace]"},
		"A-211 a machine under a drive":    {drive, "file://server/share/a.ts", "//server/share/a.ts [outside workspace]"},
		"A-211 dots on a machine":          {drive, "file://server/share/x/../a.ts", "//server/share/a.ts [outside workspace]"},
		"A-212 an encoded backslash":       {drive, "file:///c:/workspace/a%5Cb", "file:///c:/workspace/a%5Cb"},
		"A-212 an encoded backslash alone": {drive, "file:///a%5Cb", "file:///a%5Cb"},
		"A-213 an encoded separator":       {drive, "file:///c:/workspace/a%2Fb", "file:///c:/workspace/a%2Fb"},
		"A-215 a folder c: elsewhere":      {"file:///c:/x", "file:///C:/X/a", "a"},
		"A-213 a workspace of no file":     {"untitled:x", "file:///a", "file:///a"},
		"A-213 a workspace that is wrong":  {"file:///a%2Fb", "file:///a", "file:///a"},
	} {
		t.Run(name, func(t *testing.T) {
			lines, _ := linesOf(showOf(seam.Locations{WorkspaceURI: test.workspace, Items: []seam.Location{at(test.uri, 0, 0)}}, Config{}).Text)
			path, label, _ := strings.Cut(test.want, " [")
			if label != "" {
				label = " [" + label
			}
			require.Equal(t, path+":1:1"+label, lines)
		})
	}
}

// as corrected: whole lines, and always a footer with the totals.
func TestLimits(t *testing.T) {
	var items []seam.Location
	for i := range 250 {
		items = append(items, at(fmt.Sprintf("file:///work%%20space/%d", i%3), i, 0))
	}
	all := found(items...)

	text := showOf(all, Config{}).Text
	lines, footer := linesOf(text)
	require.Equal(t, 100, len(strings.Split(lines, "\n")))
	require.Equal(t, "100 of 250 locations shown, in 3 of 3 files (limit tool.maxLocations). "+
		"For the rest, search for the name as text, or ask about a symbol that is used less.", footer)

	_, footer = linesOf(showOf(all, Config{MaxLocations: 2}).Text)
	require.Contains(t, footer, "2 of 250 locations shown, in 2 of 3 files (limit tool.maxLocations).")

	answer := showOf(all, Config{MaxLocations: 1000, MaxResultChars: 400})
	lines, footer = linesOf(answer.Text)
	require.LessOrEqual(t, seam.UTF16Len(answer.Text), 400)
	require.Len(t, strings.Split(lines, "\n"), len(answer.Meta.Locations))
	require.Contains(t, footer, fmt.Sprintf("%d of 250 locations shown, in 1 of 3 files (limit tool.maxResultChars).", len(answer.Meta.Locations)))

	whole := showOf(all, Config{MaxLocations: 1000}).Text
	require.Equal(t, whole, showOf(all, Config{MaxLocations: 1000, MaxResultChars: seam.UTF16Len(whole)}).Text, "it just fits")
	require.NotEqual(t, whole, showOf(all, Config{MaxLocations: 1000, MaxResultChars: seam.UTF16Len(whole) - 1}).Text)

	require.Equal(t, "0 of 250 shown.", showOf(all, Config{MaxResultChars: 20}).Text)
	require.Equal(t, "0 of", showOf(all, Config{MaxResultChars: 4}).Text, "a limit of no use")
}

func TestIncomplete(t *testing.T) {
	locations := found(at("file:///work%20space/a", 0, 0))
	locations.Completeness = seam.Incomplete
	require.Equal(t, "a:1:1\n1 location in 1 file. "+incompleteNote, showOf(locations, Config{}).Text)
	hover := seam.HoverResult{Hover: &seam.Hover{Contents: "x"}, Completeness: seam.Incomplete}
	require.Equal(t, "x\n"+incompleteNote, showOf(hover, Config{}).Text)
	for _, whole := range []seam.Completeness{seam.Unknown, seam.Complete} {
		require.Equal(t, "x", showOf(seam.HoverResult{Hover: hover.Hover, Completeness: whole}, Config{}).Text)
	}
}

func TestHover(t *testing.T) {
	for name, test := range map[string]struct{ contents, want string }{
		"A-217 as it is":       {"```go\n\tx  \r\n```\n名😀", "```go\n\tx  \r\n```\n名😀"},
		"what a terminal does": {"a\x1b[2Jb\rc\u009b", `a\x1b[2Jb\rc\u009b`},
		"what is not seen":     {"a\u202eb\u200bc\u2029\ufeff", `a\u202eb\u200bc\u2029\ufeff`},
	} {
		t.Run(name, func(t *testing.T) {
			answer := showOf(seam.HoverResult{Hover: &seam.Hover{Contents: test.contents}}, Config{})
			require.Equal(t, test.want, answer.Text)
			require.Equal(t, test.contents, answer.Meta.Hover.Contents, "machines get it as it came")
		})
	}
}

// whole lines, a footer, and code that is cut ends.
func TestHoverIsCut(t *testing.T) {
	hover := func(contents string, limit int) Answer {
		return showOf(seam.HoverResult{Hover: &seam.Hover{Contents: contents}}, Config{MaxResultChars: limit})
	}
	answer := hover("```go\n"+strings.Repeat("func f()\n", 50)+"```\n", 120)
	require.Equal(t, "```go\n"+strings.Repeat("func f()\n", 5)+"```\n51 of 460 characters shown (limit tool.maxResultChars).", answer.Text)
	require.Equal(t, "```go\n"+strings.Repeat("func f()\n", 5), answer.Meta.Hover.Contents)
	require.Equal(t, [2]int{460, 51}, [2]int{answer.Meta.Total, answer.Meta.Shown})

	answer = hover(strings.Repeat("😀", 500), 101)
	lines, footer := linesOf(answer.Text)
	require.Regexp(t, `^😀+…$`, lines, "an endless line")
	require.Contains(t, footer, "of 1000 characters shown")
	require.Equal(t, "0 of 1000 characters shown.", hover(strings.Repeat("x", 1000), 40).Text)
	require.Equal(t, "0 of", hover(strings.Repeat("x", 1000), 4).Text)
}

// A-206 as corrected. Whatever is said and however it is limited: never more than the limit, a footer when it is
// cut, whole lines, and nothing that leaves its line or acts on a terminal.
func FuzzRender(f *testing.F) {
	f.Add("file:///w/a%0A", "file:///w", 3, 200, "a\n😀b", false, uint8(0))
	f.Add("\x1b[2J", "untitled:", 200, 90, "```\nx", true, uint8(2))
	f.Add("file:///w/\u202e", "file:///w", 30, 1, "", true, uint8(1))
	f.Add("0", "0", 40, 61, "\xf5\xf5\xf5\xf5\x98\x98\x99\x99\xf5\xf5\xf5\xf5\x98\x98\x98\x98\xf5\x98\x98\x98\x98\x98\x98\x98\x98\x98\x98\x98\x98\x98\x98\x99", true, uint8(1))
	f.Fuzz(func(t *testing.T, uri, workspace string, count, limit int, contents string, grouped bool, completeness uint8) {
		limit = 1 + min(max(limit, 0), 5_000)
		config := Config{MaxLocations: 20, MaxResultChars: limit, Format: FormatLines}
		if grouped {
			config.Format = FormatGrouped
		}
		answer := seam.Locations{WorkspaceURI: workspace, Completeness: seam.Completeness(completeness % 3)}
		for i := range min(max(count, 1), 40) {
			answer.Items = append(answer.Items, at(uri+strings.Repeat("x", i%3), i, 0))
		}
		shown := showOf(answer, config)
		requireWithin(t, shown.Text, limit)
		all, footer := linesOf(shown.Text)
		if shown.Meta.Shown < shown.Meta.Total && limit > 20 {
			require.Contains(t, footer, fmt.Sprintf("%d of %d ", shown.Meta.Shown, shown.Meta.Total))
		}
		require.Len(t, shown.Meta.Locations, shown.Meta.Shown)
		places := 0
		for line := range strings.Lines(all) {
			line = strings.TrimSuffix(line, "\n")
			if grouped && strings.HasPrefix(line, "  ") {
				places += len(strings.Fields(line))
			} else if !grouped {
				require.Regexp(t, `:\d+:1( \[outside workspace\])?$`, line)
				places++
			}
		}
		if !grouped || !strings.HasPrefix(newPaths(workspace).of(uri).path, "  ") {
			require.Equal(t, shown.Meta.Shown, places)
		}

		hover := showOf(seam.HoverResult{Hover: &seam.Hover{Contents: contents}}, config)
		requireWithin(t, hover.Text, limit)
		if hover.Meta.Shown < hover.Meta.Total && limit > 40 {
			require.Contains(t, hover.Text, "characters shown")
		}

		// The same below a line that says which symbol was meant.
		tool := New(nil, config)
		defer tool.Close()
		none := seam.Locations{Completeness: answer.Completeness}
		for _, result := range []seam.Result{answer, seam.HoverResult{Hover: &seam.Hover{Contents: contents}}, seam.HoverResult{}, none} {
			found := Finding{Result: result, head: "x is at line 1, column 2; there are 3 others on that line.", source: source{"", seam.NewText(contents)}}
			requireWithin(t, tool.Show(context.Background(), found).Text, limit)
		}
	})
}

func requireWithin(t *testing.T, text string, limit int) {
	t.Helper()
	require.LessOrEqual(t, seam.UTF16Len(text), limit)
	require.True(t, utf8.ValidString(text))
	require.Equal(t, text, Escape(text))
}
