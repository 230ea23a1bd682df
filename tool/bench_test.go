package tool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/navseam/navseam/seam"
)

// benchFolder is a workspace of as many files, and an answer that leads to each of them in
// turn.
func benchFolder(b *testing.B, files, locations int) (string, seam.Locations) {
	b.Helper()
	texts := map[string]string{".git/HEAD": "", ".gitignore": "node_modules/\n*.log\n/dist\n"}
	for i := range files {
		texts[fmt.Sprintf("pkg%d/file%d.go", i%20, i)] = strings.Repeat("func price(item Item) int { return item.Price * item.Count }\n", 500)
	}
	root := folder(b, texts)
	answer := answerOf(root)
	for i := range locations {
		n := i % files
		answer.Items = append(answer.Items, in(root, fmt.Sprintf("pkg%d/file%d.go", n%20, n), i/files%500, 5+i%40))
	}
	return root, answer
}

// BenchmarkTwentyThousand is an answer of 20,000 references, of which a hundred are shown in
// as many files, with their sources. The bound is 30 ms.
func BenchmarkTwentyThousand(b *testing.B) {
	root, answer := benchFolder(b, 500, 20_000)
	for _, c := range []struct {
		name   string
		config Config
	}{
		{"lines", Config{Snippets: true}},
		{"without sources", Config{}},
		{"grouped", Config{Format: FormatGrouped}},
		{"all that fit", Config{Snippets: true, MaxLocations: 20_000}},
	} {
		b.Run(c.name, func(b *testing.B) {
			tool := toolOf(b, says(answer), c.config)
			arguments := call("findReferences", "pkg0/file0.go", 1, `"character":6`)
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				answer := tool.Call(b.Context(), []string{root}, arguments)
				if size = seam.UTF16Len(answer.Text); answer.Failed || size > 16_000 {
					b.Fatal(answer.Text)
				}
			}
			b.ReportMetric(float64(size), "chars")
		})
	}
}

// BenchmarkCall is what a call costs beside its query.
func BenchmarkCall(b *testing.B) {
	root, answer := benchFolder(b, 1, 1)
	for _, c := range []struct {
		name   string
		result seam.Result
		more   string
	}{
		{"hover", seam.HoverResult{Hover: &seam.Hover{Contents: "func price(item Item) int"}}, `"character":6`},
		{"hover of a symbol", seam.HoverResult{Hover: &seam.Hover{Contents: "func price(item Item) int"}}, `"symbol":"price"`},
		{"definition", answer, `"character":6`},
		{"definition of a symbol", answer, `"symbol":"price"`},
		{"nothing", seam.Locations{WorkspaceURI: answer.WorkspaceURI}, `"character":6`},
	} {
		b.Run(c.name, func(b *testing.B) {
			tool := toolOf(b, says(c.result), Config{Snippets: true})
			arguments := call("goToDefinition", "pkg0/file0.go", 1, c.more)
			b.ReportAllocs()
			for b.Loop() {
				if answer := tool.Call(b.Context(), []string{root}, arguments); answer.Failed {
					b.Fatal(answer.Text)
				}
			}
		})
	}
}
