package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// mark is the byte-order mark. It is no part of the text.
const mark = "\uFEFF"

// head is how far a NUL byte is looked for: text has none, and what is not text
// nearly always has one here.
const head = 8192

// readUpTo reads the file, or as much of it as shows that its text has more than
// limit bytes.
func readUpTo(ctx context.Context, file *os.File, size, limit int64) ([]byte, error) {
	const firstBuffer = 1 << 20 // a size is a promise of the file system, not a fact
	most := min(max(limit, 0), math.MaxInt64-8) + int64(len(mark)) + 1
	raw := make([]byte, 0, min(min(max(size, 0), firstBuffer)+1, most))
	for int64(len(raw)) < most && ctx.Err() == nil {
		if len(raw) == cap(raw) {
			raw = append(raw, 0)[:len(raw)]
		}
		end := min(int64(cap(raw)), most)
		n, err := file.Read(raw[len(raw):end])
		raw = raw[:len(raw)+n]
		if errors.Is(err, io.EOF) {
			return raw, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return raw, ctx.Err()
}

// decode takes the byte-order mark off and refuses what is not text.
func decode(name string, raw []byte, limit int64) (string, error) {
	if at := bytes.IndexByte(raw[:min(len(raw), head)], 0); at >= 0 {
		return "", refuse(seam.ReasonBinary, "%q is not text: byte %d is NUL: name a source file", name, at)
	}
	raw = bytes.TrimPrefix(raw, []byte(mark))
	if int64(len(raw)) > limit {
		e := refuse(seam.ReasonTooLarge, "%q is too large: the limit is %d bytes and %d were seen: raise maxDocumentBytes to read it",
			name, limit, len(raw))
		e.Limit = "maxDocumentBytes"
		return "", e
	}
	if !utf8.Valid(raw) {
		return "", refuse(seam.ReasonNotUTF8, "%q is not UTF-8: line %d cannot be decoded: convert the file to UTF-8", name, badLine(raw))
	}
	return string(raw), nil
}

// badLine is the line, from 1, of the first byte that is not UTF-8.
func badLine(raw []byte) int {
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size == 1 {
			raw = raw[:at]
		}
		at += size
	}
	return bytes.Count(raw, []byte("\n")) + 1
}
