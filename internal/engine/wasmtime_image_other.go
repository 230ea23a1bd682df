//go:build wasmtime && cgo && !linux

package engine

import (
	"errors"
	"os"
)

func sealedFile([]byte) (*os.File, error) { return nil, errors.ErrUnsupported }

func sealedPath(file *os.File) string { return file.Name() }
