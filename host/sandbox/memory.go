package sandbox

import (
	"unicode/utf8"

	"github.com/navseam/navseam/abi"
)

// memory is a guest's, for as long as one host call takes: it may move when it grows.
type memory []byte

// bytes returns a stretch of the memory. One outside it is a breach; an empty one has no
// place.
func (m memory) bytes(function string, ptr, length uint64) ([]byte, error) {
	if length == 0 {
		return nil, nil
	}
	ptr, length = uint64(uint32(ptr)), uint64(uint32(length))
	if ptr+length > uint64(len(m)) {
		return nil, breachf(function, "bytes %d to %d are outside its memory of %d", ptr, ptr+length, len(m))
	}
	return m[ptr : ptr+length], nil
}

// utf8 returns a stretch that must be text.
func (m memory) utf8(function string, ptr, length uint64) ([]byte, error) {
	b, err := m.bytes(function, ptr, length)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, breachf(function, "the text at %d is not UTF-8", uint32(ptr))
	}
	return b, nil
}

// maxTextBytes bounds the names, URLs and headers that a guest passes.
const maxTextBytes = 1 << 20

// text returns a copy of a text that a guest passes. One that is too long for anything is not
// copied, but refused as a bad argument.
func (g *guest) text(m memory, function string, stack []uint64, ptr, length uint64) (text string, ok bool, err error) {
	b, err := m.utf8(function, ptr, length)
	if err == nil && len(b) > maxTextBytes {
		g.refuse(stack, abi.BadArgument, "a text is too long")
		return "", false, nil
	}
	return string(b), err == nil, err
}

// copyOut writes as much of text as there is room for and returns its whole size.
func (m memory) copyOut(function string, stack []uint64, text string, ptr, room uint64) error {
	n := min(uint64(uint32(room)), uint64(len(text)))
	into, err := m.bytes(function, ptr, n)
	if err != nil {
		return err
	}
	copy(into, text)
	give(stack, int64(len(text)))
	return nil
}

// give sets the result of an import, which is signed.
func give(stack []uint64, result int64) { stack[0] = uint64(uint32(int32(result))) }

// giveLong sets the result of an import that returns an i64.
func giveLong(stack []uint64, result int64) { stack[0] = uint64(result) }

// refuse gives a negative result and keeps its reason for the import "error".
func (g *guest) refuse(stack []uint64, result abi.Result, reason string) {
	g.reason = reason
	give(stack, int64(result))
}
