package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpenMakesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	l, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	l, err = Open(path)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, []string{"begin", "end", "begin", "end"}, kinds(lines(t, string(text))), "another trace is added")
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string, mode os.FileMode) {
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o600))
		require.NoError(t, os.Chmod(at(name), mode))
	}
	require.NoError(t, os.Mkdir(at("folder"), 0o700))
	write("source.go", "package main // and more\n", 0o600)
	write("short", "x", 0o600)
	write("full", beginning+string(bytes.Repeat([]byte("x"), 3*flushBytes)), 0o600)
	tests := map[string]struct{ path, want string }{
		"folder":      {at("folder"), "it is no regular file"},
		"source":      {at("source.go"), "it is there and is no trace"},
		"one byte":    {at("short"), "it is there and is no trace"},
		"full":        {at("full"), "is full"},
		"no folder":   {at("none/trace"), "no such file or directory"},
		"device":      {os.DevNull, "it is no regular file"},
		"empty name":  {"", "no such file or directory"},
		"for all":     {at("open"), "others may read"},
		"link":        {at("link"), "it is a symbolic link"},
		"broken link": {at("broken"), "it is a symbolic link"},
	}
	if runtime.GOOS != "windows" {
		write("open", "", 0o644)
		write("target", "", 0o600)
		require.NoError(t, os.Symlink(at("target"), at("link")))
		require.NoError(t, os.Symlink(at("nowhere"), at("broken")))
	} else {
		for _, name := range []string{"for all", "link", "broken link", "no folder", "empty name", "device"} {
			delete(tests, name)
		}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := open(test.path, 4*flushBytes)
			require.Nil(t, l)
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err := Open(at("source.go"))
	require.EqualError(t, err, "no trace can be written to "+at("source.go")+": it is there and is no trace: name another file")
	text, err := os.ReadFile(at("source.go"))
	require.NoError(t, err)
	require.Equal(t, "package main // and more\n", string(text), "it was left as it is")
	require.NoFileExists(t, at("nowhere"))
}
