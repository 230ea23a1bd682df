//go:build !wasip1

package wasmsdktest

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"

	"github.com/navseam/navseam/abi"
)

// openFile is an entry of the handle table; nil once it is closed.
type openFile struct{ content string }

// lookUp finds the mount of a path and the path in it.
func (c *call) lookUp(path string) (mount fs.FS, name string, result int32) {
	first, rest, deeper := strings.Cut(path, "/")
	mount, found := c.host.Mounts[first]
	if !deeper {
		rest = "."
	}
	switch {
	case c.host.Mounts == nil:
		return nil, "", c.refuse(abi.NotAllowed, "files are not granted: set Host.Mounts")
	case !found:
		return nil, "", c.refuse(abi.NotThere, "there is no mount "+first)
	case !fs.ValidPath(rest):
		return nil, "", c.refuse(abi.NotAllowed, "the path is not clean or leaves the mount")
	}
	return mount, rest, 0
}

func (c *call) refuseFile(err error) int32 {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.refuse(abi.NotThere, err.Error())
	case errors.Is(err, fs.ErrPermission):
		return c.refuse(abi.NotAllowed, err.Error())
	default:
		return c.refuse(abi.CallFailed, err.Error())
	}
}

func (c *call) FileOpen(path string) int32 {
	mount, name, result := c.lookUp(path)
	if result < 0 {
		return result
	}
	content, err := fs.ReadFile(mount, name)
	if err != nil {
		return c.refuseFile(err)
	}
	return c.handle(&openFile{string(content)})
}

// handle takes the first free handle of the instance.
func (c *call) handle(f *openFile) int32 {
	for i, taken := range c.host.files {
		if taken == nil {
			c.host.files[i] = f
			return int32(i + 1)
		}
	}
	if len(c.host.files) == abi.MaxOpenFiles {
		return c.refuse(abi.OverLimit, "too many open files: close some")
	}
	c.host.files = append(c.host.files, f)
	return int32(len(c.host.files))
}

func (c *call) file(handle int32) (*openFile, int32) {
	if handle < 1 || int(handle) > len(c.host.files) || c.host.files[handle-1] == nil {
		return nil, c.refuse(abi.BadArgument, "there is no open file with this handle")
	}
	return c.host.files[handle-1], 0
}

func (c *call) FileSize(handle int32) int64 {
	f, result := c.file(handle)
	if result < 0 {
		return int64(result)
	}
	return int64(len(f.content))
}

func (c *call) FileRead(handle int32, offset int64, p []byte) int32 {
	f, result := c.file(handle)
	switch {
	case result < 0:
		return result
	case offset < 0:
		return c.refuse(abi.BadArgument, "the offset is negative")
	case offset >= int64(len(f.content)):
		return 0
	}
	return int32(copy(p, f.content[offset:]))
}

func (c *call) FileClose(handle int32) {
	if _, result := c.file(handle); result == 0 {
		c.host.files[handle-1] = nil
	}
}

func (c *call) FileStat(path string, out *[abi.FileStatSize]byte) int32 {
	mount, name, result := c.lookUp(path)
	if result < 0 {
		return result
	}
	info, err := fs.Stat(mount, name)
	if err != nil {
		return c.refuseFile(err)
	}
	kind := abi.KindOther
	switch {
	case info.IsDir():
		kind = abi.KindFolder
	case info.Mode().IsRegular():
		kind = abi.KindFile
	}
	binary.LittleEndian.PutUint64(out[0:], uint64(info.Size()))
	if modified := info.ModTime(); modified.Unix() > 0 {
		binary.LittleEndian.PutUint64(out[8:], uint64(modified.UnixNano()))
	}
	binary.LittleEndian.PutUint64(out[16:], uint64(kind))
	return 0
}

func (c *call) DirRead(path string, p []byte) int32 {
	mount, name, result := c.lookUp(path)
	if result < 0 {
		return result
	}
	entries, err := fs.ReadDir(mount, name)
	if err != nil {
		return c.refuseFile(err)
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
		if entry.IsDir() {
			names[i] += "/"
		}
	}
	return copyOut(p, strings.Join(names, "\n"))
}
