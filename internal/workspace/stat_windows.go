package workspace

import (
	"os"
	"syscall"
)

// noWait is nothing on Windows, where a name in a folder is never a pipe or a device.
const noWait = 0

// stateOf takes the time of creation for an identity: the file number would cost
// another open. There is no time of change beside the time of writing.
func stateOf(info os.FileInfo) state {
	s := state{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		s.identity.number = uint64(data.CreationTime.Nanoseconds())
	}
	return s
}
