package changes

import (
	"hash/fnv"
	"io"
	"os"

	"github.com/navseam/navseam/internal/workspace"
)

// maxSummed is the largest file that is read to tell whether it changed. A larger one that may
// have is taken to have changed.
const maxSummed = 4 << 20

// sumOf reads a file that had changed right before it was looked at: its times prove nothing.
func (t *Tree) sumOf(path string, stamp workspace.Stamp) (sum uint64, ok bool) {
	if stamp.Size() > maxSummed {
		return 0, false
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer func() { _ = file.Close() }() // nothing was written
	hash := fnv.New64a()
	if t.buffer == nil {
		t.buffer = make([]byte, 32<<10)
	}
	if _, err := io.CopyBuffer(hash, io.LimitReader(file, maxSummed), t.buffer); err != nil {
		return 0, false
	}
	return hash.Sum64(), true
}
