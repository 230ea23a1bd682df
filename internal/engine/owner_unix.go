//go:build unix

package engine

import (
	"io/fs"
	"os"
	"syscall"
)

// onlyOurs reports whether a folder belongs to this process's user and no one else may
// write to it.
func onlyOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
