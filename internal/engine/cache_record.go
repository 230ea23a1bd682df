package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// recordName is the file of an entry that says what the entry is and what is in it.
const recordName = "record"

var errUnsound = errors.New("the entry is not what its record says")

// newRecord describes an entry as it is: its name, and each file with its size and SHA-256.
// An entry is sound if its record is what newRecord says, so that there is no second form
// to read.
func newRecord(folder, name string) (string, error) {
	files, err := entryFiles(folder)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", err
	}
	defer root.Close()
	var record strings.Builder
	fmt.Fprintf(&record, "compiled code, form 1\n%s\n", name)
	for _, path := range files {
		if err := describe(&record, root, path); err != nil {
			return "", err
		}
	}
	return record.String(), nil
}

// entryFiles lists the files of an entry but the record. There is nothing but files and
// folders in it.
func entryFiles(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular():
			return errUnsound
		}
		if path, err = filepath.Rel(folder, path); err != nil || path == recordName {
			return err
		}
		files = append(files, path)
		return nil
	})
	return files, err
}

func describe(record io.Writer, root *os.Root, path string) error {
	file, err := root.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(record, "%x %d %s\n", hash.Sum(nil), size, path)
	return err
}

// checkRecord says whether an entry is what its record says.
func checkRecord(folder, name string) error {
	if !private(folder) {
		return errUnsound
	}
	record, err := newRecord(folder, name)
	if err != nil {
		return err
	}
	said, err := readRecord(folder, len(record)+1)
	if err != nil {
		return err
	}
	if string(said) != record {
		return errUnsound
	}
	return nil
}

func readRecord(folder string, atMost int) ([]byte, error) {
	path := filepath.Join(folder, recordName)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errUnsound
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(atMost)))
}

func writeRecord(folder, name string) error {
	record, err := newRecord(folder, name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, recordName), []byte(record), 0o600)
}
