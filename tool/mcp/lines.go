package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxMessageBytes is the largest message that is read. Questions are small.
const maxMessageBytes = 4 << 20

var errTooLong = errors.New("the line is too long")

// lineReader reads the lines of a stream that nobody vouches for.
type lineReader struct{ in *bufio.Reader }

func newLineReader(in io.Reader) lineReader { return lineReader{bufio.NewReaderSize(in, 64<<10)} }

// next returns the next line that is not blank, in memory of its own. One that is too long
// is skipped to its end, and is errTooLong. The last line may lack its line break.
func (r lineReader) next() ([]byte, error) {
	for {
		line, err := r.line()
		if len(bytes.TrimSpace(line)) > 0 || err != nil {
			return line, err
		}
	}
}

func (r lineReader) line() (line []byte, err error) {
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessageBytes; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong:
			return nil, errTooLong // the end, if it is that, is read again
		case err != nil && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}
