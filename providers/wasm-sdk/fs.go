package wasmsdk

import (
	"encoding/binary"
	"io"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// FS is a mount as a file system: FS("workspace"), or a name that the deployment gave. It needs
// the grant files.
type FS string

// Open is that of [fs.FS].
func (m FS) Open(name string) (fs.File, error) {
	info, err := m.info("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &openFolder{mount: m, name: name, info: info}, nil
	}
	file, err := Open(m.path(name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{File: file, info: info}, nil
}

// Stat is that of [fs.StatFS].
func (m FS) Stat(name string) (fs.FileInfo, error) { return m.info("stat", name) }

// ReadDir is that of [fs.ReadDirFS].
func (m FS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	folder := m.path(name)
	list, size := copyOut(make([]byte, 4096), func(p []byte) int32 { return hostcall.DirRead(folder, p) })
	runtime.Gosched()
	if size < 0 {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: refused("dir_read", folder, size)}
	}
	var entries []fs.DirEntry
	for entry := range strings.SplitSeq(string(list), "\n") {
		if entry != "" {
			base, isFolder := strings.CutSuffix(entry, "/")
			entries = append(entries, dirEntry{m, path.Join(name, base), isFolder})
		}
	}
	return entries, nil
}

func (m FS) path(name string) string {
	if name == "." {
		return string(m)
	}
	return string(m) + "/" + name
}

func (m FS) info(op, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	var out [abi.FileStatSize]byte
	if result := hostcall.FileStat(m.path(name), &out); result < 0 {
		return nil, &fs.PathError{Op: op, Path: name, Err: refused("file_stat", m.path(name), result)}
	}
	return fileInfo{
		name:     path.Base(name),
		size:     int64(binary.LittleEndian.Uint64(out[0:])),
		modified: int64(binary.LittleEndian.Uint64(out[8:])),
		kind:     binary.LittleEndian.Uint32(out[16:]),
	}, nil
}

// openFile reads on from where it is.
type openFile struct {
	*File
	info   fs.FileInfo
	offset int64
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *openFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.offset)
	f.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// openFolder lists its entries piece by piece.
type openFolder struct {
	mount   FS
	name    string
	info    fs.FileInfo
	read    bool
	entries []fs.DirEntry
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if !f.read {
		entries, err := f.mount.ReadDir(f.name)
		if err != nil {
			return nil, err
		}
		f.entries, f.read = entries, true
	}
	if n > 0 && len(f.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.entries) {
		n = len(f.entries)
	}
	entries := f.entries[:n]
	f.entries = f.entries[n:]
	return entries, nil
}

// dirEntry knows no more than a list of names says.
type dirEntry struct {
	mount    FS
	name     string // from the mount on
	isFolder bool
}

func (e dirEntry) Name() string               { return path.Base(e.name) }
func (e dirEntry) IsDir() bool                { return e.isFolder }
func (e dirEntry) Info() (fs.FileInfo, error) { return e.mount.Stat(e.name) }

func (e dirEntry) Type() fs.FileMode {
	if e.isFolder {
		return fs.ModeDir
	}
	return 0
}

type fileInfo struct {
	name           string
	size, modified int64
	kind           uint32
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) ModTime() time.Time { return time.Unix(0, i.modified) }
func (i fileInfo) IsDir() bool        { return i.kind == abi.KindFolder }
func (i fileInfo) Sys() any           { return nil }

func (i fileInfo) Mode() fs.FileMode {
	switch i.kind {
	case abi.KindFile:
		return 0o444
	case abi.KindFolder:
		return fs.ModeDir | 0o555
	default:
		return fs.ModeIrregular
	}
}
