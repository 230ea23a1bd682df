package tool

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// golden compares with a file of testdata. go test ./tool -update writes them.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got+"\n"), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test ./tool -update writes it")
	require.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got+"\n")
}

const shop = `package shop

import "fmt"

// Cart is what somebody is about to buy.
type Cart struct{ items []Item }

func (c *Cart) Total() (total int) {
	for _, item := range c.items {
		total += item.Price	// of one
	}
	return total
}
`

// shopFolder is a workspace with all that is shown in a special way.
func shopFolder(t *testing.T) string {
	return folder(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "gen/\n*.min.js\n", "shop.go": shop,
		"cmd/main.go":  "package main\n\nfunc main() {\n\tprintln(shop.Cart{}.Total())\n}\n",
		"gen/cart.go":  "package gen\n",
		"a.min.js":     strings.Repeat("var x=1;", 100) + "total()" + strings.Repeat(";y()", 100),
		"binary.bin":   "\x00\x01",
		"odd\u202e.go": "say(\"\u202e\x1b[2J\")\n",
	})
}

func shopAnswer(root string) seam.Locations {
	answer := answerOf(
		root,
		in(root, "cmd/main.go", 3, 21), in(root, "shop.go", 7, 15), in(root, "cmd/main.go", 0, 0), in(root, "shop.go", 9, 2), in(root, "shop.go", 11, 8),
		in(root, "gen/cart.go", 0, 8), in(root, "a.min.js", 0, 800), in(root, "shop.go", 7, 15), in(root, "binary.bin", 0, 0), in(root, "gone.go", 4, 4),
		in(root, "shop.go", 99, 0), at("file:///usr/lib/fmt/print.go", 10, 5), at("jdt://contents/rt.jar/java/lang/String.class", 2, 3), in(root, "odd\u202e.go", 0, 4),
	)
	return answer
}

func TestShowLines(t *testing.T) {
	root := shopFolder(t)
	tool := toolOf(t, says(shopAnswer(root)), Config{Snippets: true})
	answer := tool.Call(t.Context(), []string{root}, call("findReferences", "shop.go", 8, `"symbol":"Total"`))
	require.False(t, answer.Failed, answer.Text)
	golden(t, "lines.txt", answer.Text)
	require.Equal(t, 13, answer.Meta.Total, "one came twice")
}

func TestShowWithoutSnippets(t *testing.T) {
	root := shopFolder(t)
	answer := toolOf(t, says(shopAnswer(root)), Config{}).Call(t.Context(), []string{root}, call("findReferences", "shop.go", 8, `"symbol":"Total"`))
	golden(t, "nosnippets.txt", answer.Text)
}

func TestShowGrouped(t *testing.T) {
	root := shopFolder(t)
	answer := toolOf(t, says(shopAnswer(root)), Config{Format: FormatGrouped, Snippets: true}).Call(t.Context(), []string{root}, call("findReferences", "shop.go", 8, `"character":16`))
	golden(t, "grouped.txt", answer.Text)

	// The form is there to save room: it takes a third of it, when there is something to save.
	var many []seam.Location
	for i := range 100 {
		many = append(many, in(root, "shop.go", i%13, i))
	}
	lengths := map[Format]int{}
	for _, format := range []Format{FormatLines, FormatGrouped} {
		text := toolOf(t, says(answerOf(root, many...)), Config{Format: format, Snippets: true}).Call(t.Context(), []string{root}, call("findReferences", "shop.go", 8, `"character":16`)).Text
		lengths[format] = seam.UTF16Len(text)
	}
	require.Less(t, lengths[FormatGrouped], lengths[FormatLines]/3)
}

// every kind of empty has words of its own.
func TestShowNothing(t *testing.T) {
	root := shopFolder(t)
	var texts []string
	for _, c := range []struct {
		operation, more string
		line            int
		completeness    seam.Completeness
	}{
		{"goToDefinition", `"character":16`, 8, seam.Complete},
		{"findReferences", `"character":21`, 8, seam.Unknown}, // right behind a name
		{"goToImplementation", `"symbol":"Total"`, 8, seam.Unknown},
		{"hover", `"character":17`, 8, seam.Unknown},
		{"goToDefinition", `"character":1`, 9, seam.Complete}, // in the indentation
		{"hover", `"character":1`, 2, seam.Unknown},           // a blank line
		{"findReferences", `"character":16`, 8, seam.Incomplete},
		{"hover", `"character":1`, 9, seam.Incomplete},
		{"goToDefinition", `"character":800`, 1, seam.Unknown}, // the answer of a server that does not mind
	} {
		var result seam.Result = seam.Locations{WorkspaceURI: workspace.FileURI(root), Completeness: c.completeness}
		if c.operation == "hover" {
			result = seam.HoverResult{Completeness: c.completeness}
		}
		answer := toolOf(t, says(result), Config{Snippets: true}).Call(t.Context(), []string{root}, call(c.operation, "shop.go", c.line, c.more))
		require.False(t, answer.Failed, answer.Text)
		require.Zero(t, answer.Meta.Total)
		texts = append(texts, answer.Text)
	}
	golden(t, "nothing.txt", strings.Join(texts, "\n\n"))

	answer := toolOf(t, says(seam.HoverResult{Hover: &seam.Hover{Contents: " \n"}}), Config{}).Call(t.Context(), []string{root}, call("hover", "gone.go", 1, `"character":1`))
	require.Equal(t, "No hover information.", answer.Text, "the source cannot be read")
	require.Nil(t, answer.Meta.Hover)
}

// Only what is shown is read, however much there is: here each file has 6 bytes and one
// location.
func TestShownFilesAreRead(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("f%03d.go", i)] = "text\n\n"
	}
	root := folder(t, files)
	answer := answerOf(root)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		answer.Items = append(answer.Items, in(root, name, 0, 0))
	}
	for _, c := range []struct {
		config Config
		shown  int
	}{
		{Config{Snippets: true}, 100},
		{Config{Snippets: true, MaxLocations: 1000, MaxResultChars: 1000}, 46}, // lines of 18 characters, and 160 for the footer
		{Config{Snippets: true, MaxLocations: 1000}, 300},
		{Config{}, 0},
		{Config{Snippets: true, Format: FormatGrouped}, 0},
	} {
		s := toolOf(t, nil, c.config).state.Load()
		view, release, err := s.views.use(t.Context(), root)
		require.NoError(t, err)
		r := renderer{s.config, &sources{views: s.views, view: view, budget: snippetBytes}, ""}
		_, items, total := r.locations(t.Context(), answer)
		release()
		require.Equal(t, 300, total)
		if c.shown > 0 {
			require.Len(t, items, c.shown)
		}
		// Beside those, the file whose line had no room, and those that made room for the footer.
		read := (snippetBytes - r.sources.budget) / 6
		require.GreaterOrEqual(t, read, c.shown)
		require.LessOrEqual(t, read, c.shown+9)
		require.True(t, c.shown > 0 || read == 0)
	}
}

// Names beyond a number, and long ones, are not told.
func TestNamesOfALine(t *testing.T) {
	require.Equal(t, "Line 3 has no names.", namesOn(3, "  ({12 + 3.5})  "))
	require.Equal(t, "The names on line 1, with their characters: a at 1, é_2 at 5, $x at 9.", namesOn(1, "a + é_2 $x 9"))
	require.Equal(t, "The names on line 1, with their characters: b at 4.", namesOn(1, "😀 b"))
	require.Contains(t, namesOn(1, strings.Repeat("ab ", 50)), "ab at 58, and 30 more.")
	require.Less(t, len(namesOn(1, strings.Repeat(strings.Repeat("x", 500)+" ", 50))), 2_000)
}

// for machines, the same as in the text, with ranges from zero.
func TestMeta(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "x"})
	uri, folderURI := workspace.FileURI(filepath.Join(root, "a.go")), workspace.FileURI(root)
	ask := func(q Querier, c Config) string {
		answer := toolOf(t, q, c).Call(t.Context(), []string{root}, call("hover", "a.go", 1, `"character":1`))
		text, err := json.Marshal(answer.Meta)
		require.NoError(t, err)
		return string(text)
	}
	place := func(line int) string {
		position := seam.Position{Line: line}
		text, err := json.Marshal(seam.Location{URI: uri, Range: seam.Range{Start: position, End: seam.Position{Line: line + 1}}})
		require.NoError(t, err)
		return string(text)
	}
	answer := answerOf(root, in(root, "a.go", 0, 0), in(root, "a.go", 7, 0), in(root, "a.go", 0, 0))
	answer.Completeness = seam.Incomplete
	require.JSONEq(t, `{"operation":"hover","kind":"locations","locations":[`+place(0)+`,`+place(7)+`],"total":2,"shown":2,"completeness":"incomplete","workspaceUri":"`+folderURI+`"}`, ask(says(answer), Config{}))
	require.JSONEq(t, `{"operation":"hover","kind":"locations","locations":[`+place(0)+`],"total":2,"shown":1,"completeness":"incomplete","workspaceUri":"`+folderURI+`"}`, ask(says(answer), Config{MaxLocations: 1}))
	require.JSONEq(t, `{"operation":"hover","kind":"locations","locations":[],"total":0,"shown":0,"completeness":"complete","workspaceUri":"`+folderURI+`"}`,
		ask(says(seam.Locations{WorkspaceURI: folderURI, Completeness: seam.Complete}), Config{}))

	at := &seam.Range{Start: seam.Position{Line: 0, Character: 0}, End: seam.Position{Line: 0, Character: 1}}
	require.JSONEq(t, `{"operation":"hover","kind":"hover","hover":{"contents":"é\n😀","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}},"total":4,"shown":4,"completeness":"unknown"}`,
		ask(says(seam.HoverResult{Hover: &seam.Hover{Contents: "é\n😀", Range: at}}), Config{}))
	require.JSONEq(t, `{"operation":"hover","kind":"hover","hover":null,"total":0,"shown":0,"completeness":"unknown"}`, ask(says(seam.HoverResult{}), Config{}))

	require.JSONEq(t, `{"operation":"hover","error":{"code":"LSP_UNAVAILABLE","message":"none","retryable":true,"limit":"x"}}`,
		ask(fails(&seam.Error{Code: seam.CodeUnavailable, Message: "none", Retryable: true, Limit: "x"}), Config{}))
	text, err := json.Marshal(toolOf(t, says(nil), Config{}).Call(t.Context(), nil, nil).Meta)
	require.NoError(t, err)
	require.Regexp(t, `^{"error":{"code":"LSP_INVALID_ARGS","message":"the arguments are missing: `, string(text))
}
