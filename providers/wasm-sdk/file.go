package wasmsdk

import (
	"io"
	"runtime"

	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// File is an open file. It may be kept from call to call, as an index is: an instance may
// hold 64 of them.
type File struct {
	name   string
	handle int32
}

// Open opens a regular file to read. The path begins with the name of a mount: "workspace/…",
// or one that the deployment names. It needs the grant files.
func Open(path string) (*File, error) {
	handle := hostcall.FileOpen(path)
	if handle < 0 {
		return nil, refused("file_open", path, handle)
	}
	return &File{path, handle}, nil
}

// Size is the number of bytes now.
func (f *File) Size() (int64, error) {
	size := hostcall.FileSize(f.handle)
	if size < 0 {
		return 0, refused("file_size", f.name, size)
	}
	return size, nil
}

// ReadAt is that of [io.ReaderAt].
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	for filled := 0; filled < len(p); {
		n := hostcall.FileRead(f.handle, offset+int64(filled), p[filled:])
		runtime.Gosched()
		if n < 0 {
			return filled, refused("file_read", f.name, n)
		}
		if n == 0 {
			return filled, io.EOF
		}
		filled += int(n)
	}
	return len(p), nil
}

// Close gives the file back.
func (f *File) Close() error {
	hostcall.FileClose(f.handle)
	return nil
}
