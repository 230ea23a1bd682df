package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// File is an open file of a [Folder]. It is safe for concurrent use.
type File struct {
	files  *Files
	name   string // as it was given
	file   *os.File
	closed atomic.Bool
}

// Open opens a regular file to read. The caller closes it.
func (d *Folder) Open(ctx context.Context, name string) (*File, error) {
	return look(ctx, d, name, func(at place, path string) (*File, error) {
		file, _, err := openAt(at, path, regular)
		if err != nil {
			return nil, err
		}
		return &File{files: d.files, name: name, file: file}, nil
	}, (*File).release)
}

// maxRead is how much one ReadAt reads at most.
const maxRead = 1 << 20

// ReadAt reads bytes from an offset: as many as there are and p and 1 MiB have room for,
// or fewer. It returns 0 and [io.EOF] at the end of the file.
//
// p is written before ReadAt returns or not at all: a read that hangs, and goes on when
// its caller has left, has a buffer of its own.
func (f *File) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%q cannot be read: offset %d is negative: %w", f.name, off, fs.ErrInvalid)
	}
	size := min(len(p), maxRead)
	read, err := file(ctx, f, func() ([]byte, error) {
		buffer := make([]byte, size)
		n, err := f.file.ReadAt(buffer, off)
		if n > 0 || size == 0 {
			err = nil // it comes up again at the next read
		}
		return buffer[:n], err
	})
	return copy(p, read), err
}

// Size is the number of bytes of the file now.
func (f *File) Size(ctx context.Context) (int64, error) {
	return file(ctx, f, func() (int64, error) {
		info, err := f.file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	})
}

// Close gives the handle back and does not wait for that.
func (f *File) Close() {
	if !f.closed.Swap(true) {
		f.files.background(f.release)
	}
}

func (f *File) release() {
	_ = f.file.Close() // nothing was written
}

// file does something with an open file, on a worker.
func file[T any](ctx context.Context, f *File, do func() (T, error)) (T, error) {
	return run(ctx, f.files, func() (T, error) {
		var none T
		if f.closed.Load() {
			return none, unusable(f.name, fs.ErrClosed)
		}
		value, err := do()
		if errors.Is(err, io.EOF) {
			return none, io.EOF
		}
		if err != nil {
			return none, unusable(f.name, err)
		}
		return value, nil
	}, nil)
}
