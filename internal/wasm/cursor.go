package wasm

import (
	"fmt"
	"unicode/utf8"
)

// cursor reads the primitive values of the format from b[pos:end]. The first error sticks:
// what is read after it is zero, so that callers check once.
type cursor struct {
	b       []byte
	pos     int
	end     int
	section string
	left    bool // what follows is not read, see reader.uses
	err     *FormatError
}

func (c *cursor) fail(at int, format string, args ...any) {
	if c.err == nil && !c.left {
		c.err = &FormatError{Section: c.section, Offset: at, Problem: fmt.Sprintf(format, args...)}
	}
	c.pos = c.end
}

func (c *cursor) ok() bool { return c.err == nil }

// reading reports whether there is a reason to go on.
func (c *cursor) reading() bool { return c.err == nil && !c.left }

func (c *cursor) remaining() int { return c.end - c.pos }

func (c *cursor) byte(what string) byte {
	if c.pos >= c.end {
		c.fail(c.pos, "%s is missing: the section or function ends here", what)
		return 0
	}
	v := c.b[c.pos]
	c.pos++
	return v
}

func (c *cursor) skip(n uint32, what string) {
	if uint64(n) > uint64(c.remaining()) {
		c.fail(c.pos, "%s has %d bytes, and %d are left", what, n, c.remaining())
		return
	}
	c.pos += int(n)
}

// u32 reads an unsigned number of 32 bits. It may be longer than it must be, as linkers
// write it, but not longer than five bytes.
func (c *cursor) u32(what string) uint32 {
	if c.pos < c.end {
		if v := c.b[c.pos]; v < 0x80 {
			c.pos++
			return uint32(v)
		}
	}
	return uint32(c.unsigned(32, what))
}

func (c *cursor) unsigned(bits uint, what string) uint64 {
	start := c.pos
	var v uint64
	for shift := uint(0); shift < bits; shift += 7 {
		x := c.byte(what)
		if !c.ok() {
			return 0
		}
		if left := bits - shift; left < 7 && x>>left != 0 {
			c.fail(start, "%s is longer than %d bits", what, bits)
			return 0
		}
		v |= uint64(x&0x7f) << shift
		if x < 0x80 {
			return v
		}
	}
	c.fail(start, "%s is longer than %d bits", what, bits)
	return 0
}

// signed reads a signed number: the unused bits of its last byte repeat the sign.
func (c *cursor) signed(bits uint, what string) int64 {
	start := c.pos
	var v int64
	for shift := uint(0); shift < bits; shift += 7 {
		x := c.byte(what)
		if !c.ok() {
			return 0
		}
		if left := bits - shift; left < 7 {
			if sign := int8(x<<1) >> left; x >= 0x80 || (sign != 0 && sign != -1) {
				break
			}
		}
		v |= int64(x&0x7f) << shift
		if x < 0x80 {
			extend := 57 - min(57, shift)
			return v << extend >> extend
		}
	}
	c.fail(start, "%s is longer than %d bits", what, bits)
	return 0
}

// count reads the length of a vector whose elements have at least size bytes each, so that
// it can be trusted to be no larger than the file.
func (c *cursor) count(what string, size int) int {
	start := c.pos
	n := c.u32("the number of " + what)
	if c.ok() && uint64(n)*uint64(size) > uint64(c.remaining()) {
		c.fail(start, "%d %s do not fit in the %d bytes that are left", n, what, c.remaining())
		return 0
	}
	return int(n)
}

// name reads a string of UTF-8.
func (c *cursor) name(what string) string {
	n := c.u32("the length of " + what)
	start := c.pos
	c.skip(n, what)
	if !c.ok() {
		return ""
	}
	if text := c.b[start:c.pos]; utf8.Valid(text) {
		return string(text)
	}
	c.fail(start, "%s is not UTF-8", what)
	return ""
}
