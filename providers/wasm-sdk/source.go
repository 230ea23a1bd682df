package wasmsdk

import (
	"time"
	"unsafe"

	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// Source is the whole text of the queried document, as it is on disk, without a byte-order
// mark. It does not change during a call. [seam.NewText] finds a position in it:
//
//	source, err := wasmsdk.Source()
//	if err != nil {
//		return nil, err
//	}
//	offset, err := seam.NewText(source).Offset(q.Position)
//
// It fails for a text that no provider is given: binary, not UTF-8, or too large. Whatever the
// answer is then, the query ends with LSP_SOURCE_REJECTED.
func Source() (string, error) {
	size := hostcall.SourceSize()
	if size < 0 {
		return "", refused("source_size", "", size)
	}
	text := make([]byte, size)
	for filled := 0; filled < len(text); {
		n := hostcall.Source(uint32(filled), text[filled:])
		if n < 0 {
			return "", refused("source", "", n)
		}
		if n == 0 {
			text = text[:filled]
			break
		}
		filled += int(n)
	}
	return unsafe.String(unsafe.SliceData(text), len(text)), nil // nobody else has text
}

// Remaining is the time that is left for this call. Helpers that wait give up a little
// earlier, with context.DeadlineExceeded, so that there is time to say what happened.
func Remaining() time.Duration {
	return time.Duration(hostcall.RemainingMs()) * time.Millisecond
}
