package egress

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
)

var errTooMuch = errors.New("more bytes than the rule allows")

// capped ends with errTooMuch where its source goes on.
type capped struct {
	from io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left == 0 {
		var one [1]byte
		n, err := c.from.Read(one[:])
		if n > 0 {
			return 0, errTooMuch
		}
		return 0, err
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.from.Read(p)
	c.left -= int64(n)
	return n, err
}

// decode gives the body without its content encoding. An encoding that nobody asked for is left as
// it is, and its header with it; so is a part of a body, which cannot be decoded. The encoded form
// has a limit too: there are endless ones of nothing.
func decode(answer *http.Response, limit int64) (body io.Reader, decoded bool) {
	if answer.Body == http.NoBody || answer.StatusCode == http.StatusPartialContent {
		return answer.Body, false
	}
	var open func(*bufio.Reader) (io.Reader, error)
	switch strings.ToLower(strings.Join(answer.Header.Values("Content-Encoding"), ",")) {
	case "gzip", "x-gzip":
		open = func(from *bufio.Reader) (io.Reader, error) { return gzip.NewReader(from) }
	case "deflate":
		open = openDeflate
	default:
		return answer.Body, false
	}
	return &decoder{from: bufio.NewReader(&capped{from: answer.Body, left: 2*limit + 64<<10}), open: open}, true
}

// decoder begins with the first read, as the first bytes may be late.
type decoder struct {
	from *bufio.Reader
	open func(*bufio.Reader) (io.Reader, error)
	to   io.Reader
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.to == nil {
		if _, err := d.from.Peek(1); err != nil { // io.EOF: an empty body is not encoded
			return 0, err
		}
		to, err := d.open(d.from)
		if err != nil {
			return 0, err
		}
		d.to = to
	}
	return d.to.Read(p)
}

// openDeflate reads the format that the standard names, zlib, and the bare one that some send.
func openDeflate(from *bufio.Reader) (io.Reader, error) {
	const methodMask, deflated = 0x0f, 8
	start, _ := from.Peek(2) // shorter: the readers say what is wrong
	if len(start) == 2 && start[0]&methodMask == deflated && (int(start[0])<<8|int(start[1]))%31 == 0 {
		return zlib.NewReader(from)
	}
	return flate.NewReader(from), nil
}
