package changes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkLook is what a question costs in a workspace of 20,000 files in 2,000 folders: the first
// look, one in which nothing happened, and one after 1,000 files changed.
func BenchmarkLook(b *testing.B) {
	const folders, files = 2000, 10
	dir := b.TempDir()
	for i := range folders {
		for j := range files {
			name := filepath.Join(dir, fmt.Sprintf("d%d", i%40), fmt.Sprintf("d%d", i), fmt.Sprintf("f%d", j))
			require.NoError(b, os.MkdirAll(filepath.Dir(name), 0o700))
			require.NoError(b, os.WriteFile(name, []byte("x"), 0o600))
		}
	}
	time.Sleep(2100 * time.Millisecond) // until their times prove that they did not change
	for _, events := range []bool{true, false} {
		name := map[bool]string{true: "events", false: "sweep"}[events]
		b.Run(name+"/first", func(b *testing.B) {
			for b.Loop() {
				follow(b, dir, events).tree.Close()
			}
		})
		h := follow(b, dir, events)
		b.Run(name+"/quiet", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.look()
			}
		})
		b.Run(name+"/1000 changed", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				for i := range 1000 {
					name := filepath.Join(dir, fmt.Sprintf("d%d", i%40), fmt.Sprintf("d%d", i), "f1")
					require.NoError(b, os.WriteFile(name, []byte("y"), 0o600))
				}
				b.StartTimer()
				found, err := h.cursor.Look(context.Background())
				require.NoError(b, err)
				require.GreaterOrEqual(b, len(found), 1000)
				require.True(b, slices.ContainsFunc(found, func(c Change) bool { return c.Kind == Changed }))
			}
		})
	}
}
