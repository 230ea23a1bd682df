package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

func TestSurvey(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b/a.go", "a/z.go", "z.go", ".git/a.go", "vendor/a.go", "a/b/c.go", "node_modules/x/a.go", "target/a.go"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.go"), nil, 0o600))
	linked := os.Symlink(outside, filepath.Join(root, "link")) == nil
	s, err := surveyOf(t.Context(), root)
	require.NoError(t, err)
	want := []string{"z.go", "a/z.go", "b/a.go", "a/b/c.go"}
	if linked {
		want = append([]string{"link"}, want...) // a name, which no provider serves
	}
	require.Equal(t, want, s.files)
	require.Empty(t, s.cut)
	_, err = surveyOf(t.Context(), filepath.Join(root, "nowhere"))
	require.Error(t, err)
}

// A workspace with more than is looked at: the same part is seen each time, and that it is a
// part is said.
func TestSurveyIsBounded(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a/1.go", "a/2.go", "b/3.go", "4.go"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	folder, err := workspace.NewFiles(1).Folder(t.Context(), root)
	require.NoError(t, err)
	defer folder.Close()
	s := walk(t.Context(), folder, 5) // 4.go, a, b, 1.go, 2.go
	require.Equal(t, survey{files: []string{"4.go", "a/1.go", "a/2.go"}, entries: 6, cut: "it has very many files"}, s)
	require.Empty(t, walk(t.Context(), folder, 6).cut)
	_, why := s.find(t.Context(), "none", seam.Routes{}, root, host.DefaultConfig())
	require.Equal(t, "no file in the workspace is one that it serves (not all of the workspace was looked at: it has very many files)", why)

	over, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, "there was no time for more", walk(over, folder, 6).cut)
}
