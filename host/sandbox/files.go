package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// workspaceMount is the name under which the workspace is mounted.
const workspaceMount = "workspace"

// openFiles are those of an instance, by handle less one.
type openFiles [abi.MaxOpenFiles]*workspace.File

func (f *openFiles) closeAll() {
	for i, file := range f {
		if file != nil {
			file.Close()
			f[i] = nil
		}
	}
}

// at returns the place of a handle, or nil.
func (f *openFiles) at(handle uint64) **workspace.File {
	n := uint32(handle) - 1
	if n >= abi.MaxOpenFiles || f[n] == nil {
		return nil
	}
	return &f[n]
}

func fileOpen(g *guest, m memory, stack []uint64) error {
	name, ok, err := g.text(m, "file_open", stack, stack[0], stack[1])
	if !ok {
		return err
	}
	for i, file := range g.files {
		if file != nil {
			continue
		}
		opened, err := inMount(g, name, (*workspace.Folder).Open)
		if err != nil {
			g.refuseFile(stack, name, err)
			return nil
		}
		g.files[i] = opened
		give(stack, int64(i+1))
		return nil
	}
	g.refuse(stack, abi.OverLimit, "too many files are open: close one")
	return nil
}

const badHandle = "no such handle: it was not opened, or is closed"

func fileSize(g *guest, _ memory, stack []uint64) error {
	file := g.files.at(stack[0])
	if file == nil {
		g.reason = badHandle
		giveLong(stack, int64(abi.BadArgument))
		return nil
	}
	size, err := (*file).Size(g.waiting())
	if err != nil {
		giveLong(stack, int64(g.fileError("the file", err)))
		return nil
	}
	giveLong(stack, size)
	return nil
}

func fileRead(g *guest, m memory, stack []uint64) error {
	file := g.files.at(stack[0])
	offset, room := int64(stack[1]), stack[3]
	into, err := m.bytes("file_read", stack[2], room)
	switch {
	case err != nil:
		return err
	case file == nil:
		g.refuse(stack, abi.BadArgument, badHandle)
		return nil
	case offset < 0:
		g.refuse(stack, abi.BadArgument, "the offset is negative")
		return nil
	case len(into) == 0:
		give(stack, 0)
		return nil
	}
	n, err := (*file).ReadAt(g.waiting(), into, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		g.refuseFile(stack, "the file", err)
		return nil
	}
	give(stack, int64(n))
	return nil
}

func fileClose(g *guest, _ memory, stack []uint64) error {
	if file := g.files.at(stack[0]); file != nil {
		(*file).Close()
		*file = nil
	}
	return nil
}

func fileStat(g *guest, m memory, stack []uint64) error {
	name, ok, err := g.text(m, "file_stat", stack, stack[0], stack[1])
	if !ok {
		return err
	}
	out, err := m.bytes("file_stat", stack[2], abi.FileStatSize)
	if err != nil {
		return err
	}
	info, err := inMount(g, name, (*workspace.Folder).Stat)
	if err != nil {
		g.refuseFile(stack, name, err)
		return nil
	}
	clear(out)
	binary.LittleEndian.PutUint64(out, uint64(info.Size))
	binary.LittleEndian.PutUint64(out[8:], uint64(info.ModTime.UnixNano()))
	binary.LittleEndian.PutUint32(out[16:], kindOf(info.Kind))
	give(stack, 0)
	return nil
}

func kindOf(k workspace.Kind) uint32 {
	switch k {
	case workspace.KindFile:
		return abi.KindFile
	case workspace.KindFolder:
		return abi.KindFolder
	default:
		return abi.KindOther
	}
}

func dirRead(g *guest, m memory, stack []uint64) error {
	name, ok, err := g.text(m, "dir_read", stack, stack[0], stack[1])
	if !ok {
		return err
	}
	names, err := inMount(g, name, (*workspace.Folder).List)
	if err != nil {
		g.refuseFile(stack, name, err)
		return nil
	}
	return m.copyOut("dir_read", stack, strings.Join(names, "\n"), stack[2], stack[3])
}

// inMount does something in the folder that a path begins with, with the rest of the path.
func inMount[T any](g *guest, name string, do func(*workspace.Folder, context.Context, string) (T, error)) (T, error) {
	mount, rest, _ := strings.Cut(name, "/")
	var result T
	folder, err := g.space.folder(g.waiting(), mount)
	if err == nil {
		result, err = do(folder, g.waiting(), rest)
	}
	if errors.Is(err, workspace.ErrReplaced) {
		g.space.unmount(mount, folder)
	}
	return result, err
}

func (g *guest) refuseFile(stack []uint64, name string, err error) {
	give(stack, int64(g.fileError(name, err)))
}

// fileError keeps the reason and classifies it.
func (g *guest) fileError(name string, err error) abi.Result {
	g.reason = shorten(name, 200) + ": " + shorten(err.Error(), maxMessageBytes)
	switch code := seam.CodeOf(err); {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), code == seam.CodeTimeout, code == seam.CodeCancelled:
		return abi.Deadline
	case errors.Is(err, fs.ErrNotExist):
		return abi.NotThere
	case errors.Is(err, errNoMount), errors.Is(err, workspace.ErrOutside), errors.Is(err, fs.ErrPermission):
		return abi.NotAllowed
	case errors.Is(err, workspace.ErrTooMany):
		return abi.OverLimit
	case errors.Is(err, fs.ErrInvalid):
		return abi.BadArgument
	default:
		return abi.CallFailed
	}
}
