package workspace

import (
	"os"
	"syscall"
)

// noWait keeps an open from waiting for the other end of a FIFO and from making a
// terminal ours.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

func stateOf(info os.FileInfo) state {
	s := state{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.identity = identity{uint64(stat.Dev), stat.Ino}
		s.ctime = stat.Ctimespec.Nano()
	}
	return s
}
