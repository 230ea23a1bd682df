package langserver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// Places in files that do not exist are left out, and the rest is incomplete. What is no file of
// a disk is nobody's to look for.
func TestMissingFiles(t *testing.T) {
	place := func(uri string) string {
		return `{"uri":"` + uri + `","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}`
	}
	cases := []struct {
		name   string
		places string
		want   []string // names
		whole  seam.Completeness
	}{
		{"all there", place("$root/a.go") + "," + place("$uri"), []string{"a.go"}, seam.Complete},
		{"one gone", place("$root/gone.go") + "," + place("$uri"), []string{"a.go"}, seam.Incomplete},
		{"all gone", place("$root/gone.go") + "," + place("$root/no/such.go"), []string{}, seam.Incomplete},
		{"outside", place("file:///no/such.go") + "," + place("$uri"), []string{"file:///no/such.go", "a.go"}, seam.Complete},
		{"no files", place("jdt://x/y") + "," + place("untitled:1"), []string{"jdt://x/y", "untitled:1"}, seam.Complete},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: on("textDocument/references", fakeserver.Action{Result: raw("[" + c.places + "]")})},
				func(config *Config) { config.ReadyWhen.Answers = true })
			result, err := h.ask("a.go", seam.OpFindReferences)
			require.NoError(t, err)
			found := result.(seam.Locations)
			names := []string{}
			for _, item := range found.Items {
				if item.URI == h.view.Root().URI()+"/a.go" {
					item.URI = "a.go"
				}
				names = append(names, item.URI)
			}
			require.Equal(t, c.want, names)
			require.Equal(t, c.whole, found.Completeness)
		})
	}
}
