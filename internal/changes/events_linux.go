package changes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// events are those of one inotify instance, read only when somebody looks: the kernel has put an
// event in the queue before the call that caused it returns, so that an empty queue means that
// there was no other. No goroutine reads ahead, and a queue that overflows meanwhile costs one
// sweep.
//
// The system call is used bare, for two reasons: the queue has to be emptied at a moment of our
// choice, and a folder that is renamed keeps its watch, so that paths have to be found through
// what the tree knows and not through the path that was once watched.
type events struct {
	instance int // plus one: the zero value has none
	watched  map[int32]*folder
	buffer   []byte
}

const watched = unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW | unix.IN_EXCL_UNLINK

func openEvents(path string) (events, error) {
	if err := localOnly(path); err != nil {
		return events{}, err
	}
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return events{}, fmt.Errorf("inotify: %w", explain(err))
	}
	return events{fd + 1, make(map[int32]*folder), make([]byte, 16<<10)}, nil
}

// localOnly refuses file systems that others may change without a word to this kernel.
func localOnly(path string) error {
	const vboxsf = 0x786f4256
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return err
	}
	switch uint32(stat.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC,
		unix.V9FS_MAGIC, unix.AFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.CODA_SUPER_MAGIC, vboxsf:
		return errors.New("this file system may be changed from elsewhere without an event")
	}
	return nil
}

// explain says what to do about the limits of inotify.
func explain(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("%w: raise fs.inotify.max_user_watches", err)
	case errors.Is(err, unix.EMFILE):
		return fmt.Errorf("%w: raise fs.inotify.max_user_instances", err)
	default:
		return err
	}
}

func (e *events) on() bool { return e.instance != 0 }

// add watches a folder. One that is watched already, perhaps under the name that it had before,
// keeps its watch.
func (e *events) add(f *folder) error {
	wd, err := unix.InotifyAddWatch(e.instance-1, f.path, watched)
	switch {
	case err == nil:
		f.wd = int32(wd)
		e.watched[f.wd] = f
		return nil
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP), errors.Is(err, unix.EACCES):
		return nil // gone again: an event of its parent says so; or not ours to read
	default:
		return fmt.Errorf("inotify: %w", explain(err))
	}
}

// drop ends the watch of a folder, unless another one has it now.
func (e *events) drop(f *folder) {
	if f.wd < 0 || e.watched[f.wd] != f {
		return
	}
	delete(e.watched, f.wd)
	_, _ = unix.InotifyRmWatch(e.instance-1, uint32(f.wd)) // it is gone with the folder, if that is
	f.wd = -1
}

// drain empties the queue. An event about a folder itself has no name.
func (e *events) drain(name func(f *folder, name string), overflow func()) error {
	for {
		n, err := unix.Read(e.instance-1, e.buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return fmt.Errorf("inotify: %w", err)
		}
		e.parse(e.buffer[:n], name, overflow)
	}
}

// parse takes whole events, as the kernel gives them.
func (e *events) parse(data []byte, name func(f *folder, name string), overflow func()) {
	for len(data) >= unix.SizeofInotifyEvent {
		wd := int32(binary.NativeEndian.Uint32(data))
		mask := binary.NativeEndian.Uint32(data[4:])
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(data[12:]))
		text, _, _ := bytes.Cut(data[unix.SizeofInotifyEvent:end], []byte{0})
		data = data[end:]
		f := e.watched[wd]
		switch {
		case mask&unix.IN_Q_OVERFLOW != 0:
			overflow()
		case f == nil: // of a watch that was ended
		case mask&unix.IN_IGNORED != 0: // the kernel ended it: the folder is gone
			delete(e.watched, wd)
			f.wd = -1
			name(f, "")
		default:
			name(f, string(text))
		}
	}
}

func (e *events) close() {
	if e.on() {
		_ = unix.Close(e.instance - 1)
	}
}

// severalNames reports whether a file may be written to under a name in another folder.
func severalNames(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
