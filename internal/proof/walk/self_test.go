package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestNamesStandWhereTheTextSays(t *testing.T) {
	made := &text{file: "a"}
	made.line("no name")
	made.line(`"é😀" <<c:One>>(<<i:Two:Three>>)`)
	require.Equal(t, "no name\n\"é😀\" One(Three)\n", made.String())
	at := func(from, to int) seam.Range {
		return seam.Range{Start: seam.Position{Line: 1, Character: from}, End: seam.Position{Line: 1, Character: to}}
	}
	require.Equal(t, []occurrence{{"One", call, at(6, 9)}, {"Two", implementer, at(10, 15)}}, made.occurrences)
}

// TestTheWalkerKnowsTheDisk has the walker do everything that it can, and looks.
func TestTheWalkerKnowsTheDisk(t *testing.T) {
	for name, language := range map[string]func(root string) language{
		"go": golang, "typescript": typescript, "python": python, "cpp": cpp, "rust": rust,
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			w := begin(t, root, language(root), 1)
			bursts := bursts(6, 5)
			for _, m := range slices.Concat(moves(), bursts[2], bursts[4], moves()) {
				what, _, ok := w.move(m)
				if m.name == "another project file:" && !w.world.language.leavesOut {
					continue
				}
				for range 100 { // not every file will do
					if ok {
						break
					}
					what, _, ok = w.move(m)
				}
				require.True(t, ok, m.name)
				require.Equal(t, w.world.texts(), textsIn(t, root), "%s %s", m.name, what)
				w.remember(w.world.users()[0] + w.world.language.extension)
			}
		})
	}
}

// TestASeedIsAWalk shows that a failure can be made again: the same steps follow from the same seed.
func TestASeedIsAWalk(t *testing.T) {
	walk := func(seed uint64) ([]string, map[string]string) {
		root := t.TempDir()
		w := begin(t, root, rust(root), seed)
		var history []string
		for range 60 {
			what, _ := w.step()
			history = append(history, what)
		}
		return history, w.texts
	}
	steps, texts := walk(1)
	sameSteps, sameTexts := walk(1)
	require.Equal(t, steps, sameSteps)
	require.Equal(t, texts, sameTexts)
	other, _ := walk(2)
	require.NotEqual(t, steps, other)
}

// textsIn reads what the walker writes.
func textsIn(t *testing.T, root string) map[string]string {
	texts := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "store") {
			return fs.SkipDir
		}
		if entry.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))] = string(text)
		return nil
	}))
	return texts
}
