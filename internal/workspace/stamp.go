package workspace

import (
	"os"
	"time"
)

// Stamp is the state of a file when it was read.
type Stamp struct {
	state
	taken int64 // when, in nanoseconds since 1970
}

// StampOf is the stamp of a file that was looked at then.
func StampOf(info os.FileInfo, taken time.Time) Stamp { return Stamp{stateOf(info), taken.UnixNano()} }

// SameState reports whether the system tells the same of a file. It has the same bytes then,
// unless the older stamp is racy.
func (s Stamp) SameState(other Stamp) bool { return s.state == other.state }

// ID is that of the file or folder, whatever it holds and is called.
func (s Stamp) ID() FileID { return s.identity }

// FileID tells files apart that exist at the same time. It is comparable.
type FileID = identity

// Racy reports whether the file had changed right before the stamp was taken, so that a later
// change may leave no trace in its times.
func (s Stamp) Racy() bool { return max(s.mtime, s.ctime) >= s.taken-int64(racy) }

// Size is that of the file, in bytes.
func (s Stamp) Size() int64 { return s.size }

// state is what the operating system tells about a file without reading it. Two
// equal states mean the same bytes, but for the moment that [racy] is about.
type state struct {
	identity
	size  int64
	mtime int64 // nanoseconds since 1970
	ctime int64 // of the last change of content or attributes; no program can set it; 0 where there is none
}

// identity is what stays of a file or folder when it is renamed, and differs when it
// is created again.
type identity struct {
	device, number uint64
}

// racy is how long after a change a file may change again without a difference in
// its times: two seconds, the coarsest clock of a file system in use.
const racy = 2 * time.Second

// proves reports whether a file that is now as info says has the bytes that it had
// when the stamp was taken. A file that had changed right before that is never
// proved, since a later change may have left no trace.
func (s Stamp) proves(info os.FileInfo) bool {
	return !s.Racy() && info.Mode().IsRegular() && stateOf(info) == s.state
}
