package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
)

const (
	maxHeaderBytes   = 64 << 10 // one header block
	maxStrayBytes    = 64 << 10 // text that is no message, between two messages
	maxDeclaredBytes = 1<<31 - 1
	excerptBytes     = 80
)

// headerReader finds where the next body begins, and how long it is. Its buffer
// must hold a whole line of the longest kind.
type headerReader struct {
	r     *bufio.Reader
	stray *atomic.Uint64
	first atomic.Pointer[string] // of the stray text
}

func newHeaderReader(r io.Reader, stray *atomic.Uint64) *headerReader {
	return &headerReader{r: bufio.NewReaderSize(r, max(maxHeaderBytes, maxStrayBytes)), stray: stray}
}

// gap is what was seen since the end of the last body.
type gap struct {
	block   int // bytes of header lines
	typed   bool
	stray   int
	excerpt []byte // how the stray text begins
}

// next reads up to the first byte of a body and returns its declared length.
func (h *headerReader) next() (int, error) {
	var g gap
	for {
		line, err := h.r.ReadSlice('\n')
		if err != nil {
			return 0, h.cutShort(&g, line, err)
		}
		switch classifyLine(line) {
		case lengthLine:
			length, err := parseLength(line)
			if err != nil {
				return 0, err
			}
			return length, h.finish(g.block + len(line))
		case typeLine:
			g.typed = true
			if g.block += len(line); g.block > maxHeaderBytes {
				return 0, headerTooLong()
			}
			continue
		case blankLine:
			if g.typed {
				return 0, badFraming("header block without Content-Length")
			}
		}
		glued := bytes.Clone(gluedLength(line)) // Peek may move the line
		if err := h.skip(&g, line[:len(line)-len(glued)]); err != nil {
			return 0, err
		}
		if glued == nil {
			continue
		}
		if length, ok := h.complete(glued); ok {
			return length, h.finish(len(glued))
		}
		if err := h.skip(&g, glued); err != nil {
			return 0, err
		}
	}
}

// complete tells whether text without a line end ran into a header. A mere
// mention of a header is not followed by an empty line.
func (h *headerReader) complete(glued []byte) (int, bool) {
	length, err := parseLength(glued)
	if err != nil {
		return 0, false
	}
	follows, _ := h.r.Peek(2)
	return length, string(follows) == "\r\n"
}

// finish reads the rest of a header block whose Content-Length is known.
func (h *headerReader) finish(block int) error {
	for {
		line, err := h.r.ReadSlice('\n')
		switch block += len(line); {
		case block > maxHeaderBytes || errors.Is(err, bufio.ErrBufferFull):
			return headerTooLong()
		case errors.Is(err, io.EOF):
			return fmt.Errorf("output ended inside a header: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return readFailed(err)
		case !bytes.HasSuffix(line, []byte("\r\n")):
			return badFraming("header line %s ends in LF, want CRLF", excerpt(line))
		case isBlank(line):
			return nil
		}
	}
}

// skip counts text that is no message.
func (h *headerReader) skip(g *gap, text []byte) error {
	if h.first.Load() == nil && !isBlank(text) {
		first := excerpt(text)
		h.first.Store(&first)
	}
	h.stray.Add(uint64(len(text)))
	if room := excerptBytes - len(g.excerpt); room > 0 {
		g.excerpt = append(g.excerpt, text[:min(room, len(text))]...)
	}
	if g.stray += len(text); g.stray > maxStrayBytes {
		return badFraming("more than %d bytes of output are no message; they begin %s", maxStrayBytes, excerpt(g.excerpt))
	}
	return nil
}

// cutShort says what it means that no whole line could be read.
func (h *headerReader) cutShort(g *gap, line []byte, err error) error {
	skipErr := h.skip(g, line)
	switch {
	case errors.Is(err, bufio.ErrBufferFull) && skipErr == nil:
		return badFraming("a line of output is longer than %d bytes; it begins %s", maxHeaderBytes, excerpt(line))
	case skipErr != nil:
		return skipErr
	case !errors.Is(err, io.EOF):
		return readFailed(err)
	case g.stray > 0:
		return fmt.Errorf("output ended after text that is no message, %s: %w", excerpt(g.excerpt), io.EOF)
	default:
		return fmt.Errorf("output ended: %w", io.EOF)
	}
}

type lineKind int

const (
	strayLine lineKind = iota
	lengthLine
	typeLine
	blankLine
)

func classifyLine(line []byte) lineKind {
	if isBlank(line) {
		return blankLine
	}
	name, _, found := bytes.Cut(line, []byte(":"))
	switch name = bytes.TrimSpace(name); {
	case found && bytes.EqualFold(name, []byte("Content-Length")):
		return lengthLine
	case found && bytes.EqualFold(name, []byte("Content-Type")):
		return typeLine
	default:
		return strayLine
	}
}

// parseLength reads a whole Content-Length line. Digits only: what other
// notations mean, the two sides might not agree on.
func parseLength(line []byte) (int, error) {
	if !bytes.HasSuffix(line, []byte("\r\n")) {
		return 0, badFraming("header line %s ends in LF, want CRLF", excerpt(line))
	}
	_, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	if len(value) == 0 || bytes.ContainsFunc(value, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, badFraming("Content-Length is %s, want decimal digits", excerpt(value))
	}
	length, err := strconv.ParseUint(string(value), 10, 64)
	switch {
	case err != nil || length > maxDeclaredBytes:
		return 0, badFraming("Content-Length is %s, more than %d", excerpt(value), maxDeclaredBytes)
	case length == 0:
		return 0, badFraming("Content-Length is 0, a message cannot be empty")
	}
	return int(length), nil
}

// gluedLength returns the part of a stray line that looks like a Content-Length
// header, or nil. X-Content-Length is another header.
func gluedLength(line []byte) []byte {
	i := bytes.LastIndex(line, []byte("Content-Length:"))
	if i <= 0 || line[i-1] == '-' {
		return nil
	}
	return line[i:]
}

func isBlank(line []byte) bool { return len(bytes.Trim(line, "\r\n")) == 0 }

func excerpt(text []byte) string {
	text = bytes.TrimRight(text, "\r\n")
	if len(text) > excerptBytes {
		return strconv.Quote(string(text[:excerptBytes])) + "…"
	}
	return strconv.Quote(string(text))
}

func headerTooLong() error { return badFraming("header block is longer than %d bytes", maxHeaderBytes) }

func readFailed(err error) error { return fmt.Errorf("reading the server's output: %w", err) }
