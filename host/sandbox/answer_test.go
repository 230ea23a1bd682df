package sandbox

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// One location under many spellings of its path is one location, and the spellings count.
func TestSpellingsOfAPathAreBounded(t *testing.T) {
	g := &guest{space: &space{root: Root{Path: "/w"}, provider: &Provider{}}}
	limits := &Limits{Locations: 1000, ResponseBytes: 10_000}
	var a records
	for n := 0; !a.full; n++ {
		require.Less(t, n, 200, "a hundred bytes each, and ten thousand are allowed")
		path := strings.Repeat("./", n) + strings.Repeat("./", 50) + "a"
		number, problem, err := a.number(g, limits, []byte(path))
		require.NoError(t, err)
		require.Empty(t, problem)
		a.add(limits, record{uri: number})
	}
	require.Len(t, a.locations(), 1)
}

// What is wrong by itself is wrong after a path that means the same.
func TestAFileURIIsJudgedByItself(t *testing.T) {
	g := &guest{space: &space{root: Root{Path: "/w"}, provider: &Provider{}}}
	limits := &Limits{Locations: 10, ResponseBytes: 10_000}
	var a records
	_, problem, err := a.number(g, limits, []byte("a.toy"))
	require.NoError(t, err)
	require.Empty(t, problem)
	_, problem, err = a.number(g, limits, []byte("file:///w/a.toy"))
	require.NoError(t, err)
	require.Contains(t, problem, "sourceRoots")
}

// The range of a hover is nothing without a text.
func TestARangeWithoutAHover(t *testing.T) {
	a := answer{hoverRange: &record{startLine: 5}}
	a.judgeHover()
	require.Empty(t, a.wrong)
	a.hover = "text"
	a.judgeHover()
	require.NotEmpty(t, a.wrong, "it ends before it begins")
}
