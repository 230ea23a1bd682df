//go:build wasmtime && cgo

package engine

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// sealedFile returns a file in memory that not even its owner can change any more.
func sealedFile(content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate("wasm", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "compiled code")
	if err := seal(file, content); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func seal(file *os.File, content []byte) error {
	if _, err := file.Write(content); err != nil {
		return err
	}
	const all = unix.F_SEAL_WRITE | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, all); err != nil {
		return err
	}
	_, err := os.Stat(sealedPath(file)) // there may be no /proc
	return err
}

func sealedPath(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }
