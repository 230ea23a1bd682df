package rpc

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

const (
	hello = `{"method":"hello"}` // 18 bytes
	later = `{"method":"later"}`
)

// read returns the methods of all messages up to the error that ends them.
func read(r io.Reader, maxBytes int) (methods string, f *frameReader, err error) {
	f = newFrameReader(r, maxBytes)
	for {
		m, err := f.next()
		if err != nil {
			return strings.TrimSpace(methods), f, err
		}
		methods += m.method + " "
	}
}

// Each case is read whole and byte by byte: A-106.
func bothWays(t *testing.T, input string, check func(t *testing.T, r io.Reader)) {
	t.Run("whole", func(t *testing.T) { check(t, strings.NewReader(input)) })
	t.Run("A-106 byte by byte", func(t *testing.T) { check(t, iotest.OneByteReader(strings.NewReader(input))) })
}

func TestHeadersAreRead(t *testing.T) {
	cases := []struct {
		name, input, methods string
		stray                int
	}{
		{"A-106 several messages in order", frame(hello) + frame(later), "hello later", 0},
		{"A-100 any case", "CONTENT-length: 18\r\n\r\n" + hello, "hello", 0},
		{"A-100 trimmed", "  Content-Length \t: \t 18 \r\n\r\n" + hello, "hello", 0},
		{"A-100 no blank", "Content-Length:18\r\n\r\n" + hello, "hello", 0},
		{"A-100 other headers after", "Content-Length: 18\r\nContent-Type: application/x; charset=utf-8\r\nX: 1\r\n\r\n" + hello, "hello", 0},
		{"A-100 other headers before", "Content-Type: a/b\r\nContent-Length: 18\r\n\r\n" + hello, "hello", 0},
		{"A-100 first Content-Length wins", "Content-Length: 18\r\nContent-Length: 3\r\nContent-Length: x\r\n\r\n" + hello, "hello", 0},
		{"A-100 line without colon inside", "Content-Length: 18\r\nnothing\r\n\r\n" + hello, "hello", 0},
		{"A-102 leading zeros are digits", "Content-Length: 00018\r\n\r\n" + hello, "hello", 0},
		{"A-101 stray CRLF line", "starting up\r\n" + frame(hello), "hello", 13},
		{"A-101 stray CRLF line with colon", "info: starting\r\n" + frame(hello), "hello", 16},
		{"A-101 stray LF line", "starting up\n" + frame(hello), "hello", 12},
		{"A-101 stray LF line with colon", "info: starting\n" + frame(hello), "hello", 15},
		{"A-101 stray line and blank CRLF line", "starting up\r\n\r\n" + frame(hello), "hello", 15},
		{"A-101 stray line and blank LF line", "starting up\n\n" + frame(hello), "hello", 13},
		{"A-101 between two messages", frame(hello) + "note\n" + frame(later), "hello later", 5},
		{"A-101 line end after a body", frame(hello) + "\r\n" + frame(later), "hello later", 2},
		{"A-101 text that runs into a header", "note" + frame(hello), "hello", 4},
		{"A-101 a mention of a header", "got Content-Length: 5\r\n" + frame(hello), "hello", 23},
		{"A-101 bytes that are no text", "\x00\xff\xfe\n" + frame(hello), "hello", 4},
		{"another header named like it", "X-Content-Length: 3\r\n" + frame(hello), "hello", 21},
		{"another header named like it, alone", "X-Content-Length: 3\r\n\r\n" + frame(hello), "hello", 23},
		{"stray text up to its limit", strings.Repeat("x", maxStrayBytes-1) + "\n" + frame(hello), "hello", maxStrayBytes},
		{"the limit is per gap", strings.Repeat("x", 60_000) + "\n" + frame(hello) + strings.Repeat("x", 60_000) + "\n" + frame(later), "hello later", 120_002},
		{"A-104 header block up to its limit", padded(maxHeaderBytes) + hello, "hello", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bothWays(t, c.input, func(t *testing.T, r io.Reader) {
				methods, f, err := read(r, 1000)
				require.ErrorIs(t, err, io.EOF)
				require.Equal(t, c.methods, methods)
				require.Equal(t, uint64(c.stray), f.stray.Load())
			})
		})
	}
}

// padded makes a header block for hello of exactly so many bytes.
func padded(size int) string {
	const start, end = "Content-Length: 18\r\nX: ", "\r\n\r\n"
	return start + strings.Repeat("x", size-len(start)-len(end)) + end
}

func TestHeadersAreRefused(t *testing.T) {
	value := func(v string) string { return "Content-Length: " + v + "\r\n\r\n" + hello }
	cases := []struct{ name, input, says string }{
		{"A-102 hexadecimal", value("0x12"), `"0x12"`},
		{"A-102 exponent", value("2e0"), `"2e0"`},
		{"A-102 plus", value("+18"), `"+18"`},
		{"A-102 minus", value("-1"), `"-1"`},
		{"A-102 fraction", value("18.0"), `"18.0"`},
		{"A-102 letters", value("abc"), `"abc"`},
		{"A-102 empty", value(""), "digits"},
		{"A-102 two numbers", value("1 8"), `"1 8"`},
		{"A-102 digits of another script", value("١٨"), "digits"},
		{"A-102 above 2^31-1", value("2147483648"), "2147483647"},
		{"A-102 above 2^64", value("99999999999999999999999"), "2147483647"},
		{"A-107 length 0", value("0"), "empty"},
		{"A-103 no Content-Length", "Content-Type: a/b\r\n\r\n" + hello, "without Content-Length"},
		{"A-099 LF-only block", "Content-Length: 18\n\n" + hello, "want CRLF"},
		{"A-099 block ended by LF", "Content-Length: 18\r\n\n" + hello, "want CRLF"},
		{"A-104 no end within the limit", "Content-Length: 18\r\n" + strings.Repeat("X: y\r\n", 20_000), "header block is longer than 65536"},
		{"A-104 end beyond the limit", padded(maxHeaderBytes+1) + hello, "header block is longer than 65536"},
		{"A-104 a line without end", "Content-Length: 18\r\nX: " + strings.Repeat("x", 70_000), "header block is longer than 65536"},
		{"A-104 other headers without end", strings.Repeat("Content-Type: a/b\r\n", 5_000), "header block is longer than 65536"},
		{"stray line over the limit", strings.Repeat("x", 70_000), `begins "xxx`},
		{"stray lines over the limit", "usage: x\n" + strings.Repeat("xxxx\n", 14_000), `begin "usage: x`},
		{"A-107 not JSON", frame(`{"method":`), "not JSON"},
		{"A-107 two values", frame(hello + hello), "not JSON"},
		{"A-107 only blanks", frame("   "), "not JSON"},
		{"A-107 length off by one", "Content-Length: 17\r\n\r\n" + hello, "not JSON"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bothWays(t, frame(later)+c.input, func(t *testing.T, r io.Reader) {
				methods, _, err := read(r, 1000)
				require.ErrorIs(t, err, ErrFraming)
				require.ErrorContains(t, err, c.says)
				require.Equal(t, "later", methods, "a message before the fault counts")
			})
		})
	}
}

func TestOutputEnds(t *testing.T) {
	cases := []struct {
		name, input string
		cause       error
		says        string
	}{
		{"between messages", frame(hello), io.EOF, "output ended"},
		{"after stray text", "Usage: tool FILE\n", io.EOF, "Usage: tool FILE"},
		{"inside a header line", "Content-Len", io.EOF, "Content-Len"},
		{"inside a header block", "Content-Length: 18\r\n", io.ErrUnexpectedEOF, "inside a header"},
		{"before a body", "Content-Length: 18\r\n\r\n", io.ErrUnexpectedEOF, "after 0 of the 18"},
		{"inside a body", "Content-Length: 18\r\n\r\n" + hello[:7], io.ErrUnexpectedEOF, "after 7 of the 18"},
		{"inside an oversized body", "Content-Length: 5000\r\n\r\n" + hello[:7], io.ErrUnexpectedEOF, "after 7 of the 5000"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bothWays(t, c.input, func(t *testing.T, r io.Reader) {
				_, _, err := read(r, 1000)
				require.ErrorIs(t, err, c.cause)
				require.ErrorContains(t, err, c.says)
				require.NotErrorIs(t, err, ErrFraming)
			})
		})
	}
	t.Run("reading fails", func(t *testing.T) {
		broken := errors.New("broken pipe")
		for _, input := range []string{"", "Content-Length: 18\r\n", "Content-Length: 18\r\n\r\n{", "Content-Length: 5000\r\n\r\n{"} {
			_, _, err := read(io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken)), 1000)
			require.ErrorIs(t, err, broken)
		}
	})
}
