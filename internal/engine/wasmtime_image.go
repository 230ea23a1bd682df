//go:build wasmtime && cgo

package engine

import (
	"os"
	"sync"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

// image is serialized code, from which each instance loads. Loaded from bytes it is copied
// for each: 11 MB and 7 ms for a Go guest. Loaded from a file its pages are shared (0.5 MB,
// 0.2 ms), but a file that changes under a running guest ends the process, so it is one that
// no one else has and that cannot change.
type image struct {
	mu     sync.RWMutex // a load reads what close ends: the number of the file would be another's
	closed bool
	file   *os.File // or nil
	bytes  []byte
}

func newImage(serialized []byte) *image {
	if file, err := sealedFile(serialized); err == nil {
		return &image{file: file}
	}
	return &image{bytes: serialized}
}

func (i *image) load(engine *wasmtime.Engine) (*wasmtime.Module, error) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.closed {
		return nil, errClosed
	}
	if i.file == nil {
		return wasmtime.NewModuleDeserialize(engine, i.bytes)
	}
	return wasmtime.NewModuleDeserializeFile(engine, sealedPath(i.file))
}

func (i *image) close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || i.file == nil {
		i.closed = true
		return nil
	}
	i.closed = true
	return i.file.Close()
}
