package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// Open begins a trace at the end of a file, which is made where there is none and then belongs
// to its user alone. It refuses whatever could be somebody else's: a link, what is no regular
// file, a file that others may read, a file that is no trace. The owner calls Close.
func Open(path string) (*Log, error) {
	log, err := open(path, maxFileBytes)
	if err != nil {
		if about := (*fs.PathError)(nil); errors.As(err, &about) {
			err = about.Err
		}
		return nil, fmt.Errorf("no trace can be written to %s: %w", path, err)
	}
	return log, nil
}

func open(path string, limit int64) (*Log, error) {
	// Before it is opened: to open a device can do something.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(info.Mode())
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = usable(file, info, limit)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return newLog(file, info.Size(), limit), nil
}

func notRegular(mode fs.FileMode) error {
	if mode&fs.ModeSymlink != 0 {
		return errors.New("it is a symbolic link: name the file itself")
	}
	return errors.New("it is no regular file: name another")
}

// beginning is that of every line.
const beginning = `{"time":"`

func usable(file io.ReaderAt, info fs.FileInfo, limit int64) error {
	head := make([]byte, len(beginning))
	switch _, err := file.ReadAt(head, 0); {
	case !info.Mode().IsRegular():
		return notRegular(info.Mode())
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return fmt.Errorf("it is there and others may read or write it (%s): remove it, or name another", info.Mode().Perm())
	case info.Size() == 0:
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case !bytes.Equal(head, []byte(beginning)):
		return errors.New("it is there and is no trace: name another file")
	case info.Size() >= limit-flushBytes && limit > flushBytes:
		return fmt.Errorf("it is there and is full (%d bytes): remove it, or name another", info.Size())
	}
	return nil
}
