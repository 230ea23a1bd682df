package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxModuleBytes is more than any module has; the sandbox has its own limit.
const maxModuleBytes = 64 << 20

// readModule reads a module's file. What is no regular file is refused and not waited for.
func readModule(path string) ([]byte, error) {
	data, err := readRegular(path, maxModuleBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no file %q: give the module's .wasm file", path)
	case err != nil:
		return nil, usagef("%q cannot be read: %w", path, err)
	}
	return data, nil
}

// readRegular reads a file of at most limit bytes. Looking before opening spares devices,
// which do things when they are opened; a FIFO that takes the file's place meanwhile is not
// waited for either.
func readRegular(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if err := regular(info); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if err := regular(info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, err
}

func regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return errors.New("it is a device, a pipe or a socket, and no regular file")
	}
	return nil
}
