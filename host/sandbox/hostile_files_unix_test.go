//go:build unix

package sandbox_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
)

// A module that may read the workspace, and a folder beside it, reads nothing else.
func TestHostileFiles(t *testing.T) {
	outside := folderWith(t, map[string]string{"secret": "secret", "sub/secret": "secret"})
	mounted := folderWith(t, map[string]string{"index": "1234567"})
	mounts := func(c *sandbox.Config) { c.Grants.Mounts = map[string]string{"index": mounted} }

	var cases []hostile
	with := func(module, path, answer string) {
		cases = append(cases, hostile{module: module, as: " " + path, config: setting(path, mounts), asks: []question{{answer: answer}}})
	}
	for _, path := range []string{
		"workspace/out", "workspace/out-folder/secret", "workspace/out-again/out", "workspace/zero", "workspace/..",
		"workspace/../secret", "workspace/sub/../../secret", "workspace//etc/passwd", "..", "/etc/passwd", "/", "",
		"elsewhere/a", "index/../secret", "index/out", outside + "/secret",
	} {
		with("file_open", path, got(-2))
		with("file_stat", path, got(-2))
		with("dir_read", path, got(-2))
	}
	for _, path := range []string{"workspace/none", "workspace/dangling", "workspace/a.toy/x", "index/none"} {
		with("file_open", path, got(-1))
		with("file_stat", path, got(-1))
		with("dir_read", path, got(-1))
	}
	for _, path := range []string{"workspace/fifo", "workspace/sub", "workspace", "workspace/circle"} {
		with("file_open", path, got(-4))
	}
	with("file_open", "workspace/a.toy", got(100)) // all that there is room for
	with("file_open", "workspace/in", got(100))
	with("file_open", "index/index", got(7))
	with("file_stat", "workspace/a.toy", got(100))
	with("file_stat", "workspace", got(101))
	with("file_stat", "workspace/fifo", got(102))
	with("dir_read", "workspace/a.toy", got(-4))
	with("dir_read", "workspace/fifo", got(-4))
	with("dir_read", "workspace/sub", got(len("b.toy")))
	cases = append(
		cases,
		hostile{module: "file_handles", asks: []question{
			{answer: got(-3)},                                   // opens what there is
			{line: 2, character: 3, answer: "nothing"},          // closes one
			{line: 1, character: 3, answer: got(-6)},            // reads it
			{line: 3, character: 3, answer: got(-6)},            // asks for its size
			{line: 1, character: 0, answer: got(-6)},            // was never opened
			{line: 1, character: 65, answer: got(-6)},           //
			{line: 1, character: 0x7fffffff, answer: got(-6)},   //
			{line: 2, character: 0x7fffffff, answer: "nothing"}, //
			{line: 3, character: 0x7fffffff, answer: got(-6)},   //
			{answer: got(-3)},                                   // the one that was closed, and no more
			{line: 2, character: 1, answer: "nothing"},          //
			{line: 2, character: 1, answer: "nothing"},          // twice
			{line: 1, character: 2, lines: []int{100}},          // others are still open
		}},
		hostile{module: "file_offset", asks: []question{{answer: got(-6)}, {line: 1, lines: []int{0, 4, 6}}, {line: 2, answer: got(-6)}, {line: 3, answer: got(0)}}},
	)

	requireHarmlessIn(t, func(t *testing.T) string {
		root := hostileRoot(t)
		in := func(name string) string { return filepath.Join(root, name) }
		require.NoError(t, os.MkdirAll(in("sub"), 0o755))
		require.NoError(t, os.WriteFile(in("sub/b.toy"), nil, 0o600))
		require.NoError(t, syscall.Mkfifo(in("fifo"), 0o600))
		for name, to := range map[string]string{
			"in": "a.toy", "out": filepath.Join(outside, "secret"), "out-folder": outside, "out-again": ".",
			"zero": "/dev/zero", "circle": "circle", "dangling": "none",
		} {
			require.NoError(t, os.Symlink(to, in(name)))
		}
		link := filepath.Join(mounted, "out")
		_ = os.Remove(link)
		require.NoError(t, os.Symlink(filepath.Join(outside, "secret"), link))
		return root
	}, cases)
}
