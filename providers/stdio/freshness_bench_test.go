package stdio

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// BenchmarkFreshness is a question in a workspace in which nothing happened, beside one where
// nobody looks; and one that has to tell of 1,000 changed files first.
func BenchmarkFreshness(b *testing.B) {
	for _, c := range []struct {
		name    string
		notify  bool
		changed int
	}{{"nobody looks", false, 0}, {"quiet", true, 0}, {"1000 changed", true, 1000}} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("d%d", i%40), fmt.Sprintf("f%d.go", i)) }
			for i := range 2000 {
				require.NoError(b, os.MkdirAll(filepath.Dir(name(i)), 0o700))
				require.NoError(b, os.WriteFile(name(i), []byte("package a\n"), 0o600))
			}
			pool := NewPool(1)
			path, args, err := fakeserver.Command(fakeserver.Script{})
			require.NoError(b, err)
			provider, err := New(Config{
				ID: "fake", Routes: seam.Routes{Extensions: map[string]string{".go": "go"}},
				Command: path, Args: args, Supervisor: []string{path, "supervise"},
				MaxMessageBytes: 1 << 24, MaxStderrBytes: 1000, MaxDocumentBytes: 1 << 20,
				StartTimeout: patient, ReadyTimeout: patient, ShutdownTimeout: patient, KillGrace: patient,
				QueryTimeout: patient, OpenDocuments: 16, Instances: 1, CancelRequests: true,
				Circuit: Circuit{Failures: 5, Cooldown: patient}, Log: slog.New(slog.DiscardHandler),
				Freshness: Freshness{Notify: c.notify, Events: true},
			}, pool)
			require.NoError(b, err)
			defer func() {
				require.NoError(b, provider.Close(b.Context()))
				require.NoError(b, pool.Close(b.Context()))
			}()
			ask := func() {
				_, err := provider.Hover(b.Context(), seam.Target{FilePath: name(1), WorkspaceRoot: dir, LanguageID: "go"})
				require.NoError(b, err)
			}
			ask()
			b.ReportAllocs()
			for b.Loop() {
				if c.changed > 0 {
					b.StopTimer()
					for i := range c.changed {
						require.NoError(b, os.WriteFile(name(i+2), []byte("package a\n"), 0o600))
					}
					b.StartTimer()
				}
				ask()
			}
		})
	}
}
