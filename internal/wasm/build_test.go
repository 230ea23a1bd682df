package wasm_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const header = "\x00asm\x01\x00\x00\x00"

// module puts sections behind the header.
func module(sections ...[]byte) []byte {
	b := []byte(header)
	for _, s := range sections {
		b = append(b, s...)
	}
	return b
}

// section puts the code and the size before a payload.
func section(id byte, payload ...byte) []byte {
	return append(sized([]byte{id}, len(payload)), payload...)
}

func sized(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// vector puts the count before its elements.
func vector(elements ...[]byte) []byte {
	b := sized(nil, len(elements))
	for _, e := range elements {
		b = append(b, e...)
	}
	return b
}

// body makes a function of locals of type i32 and instructions, and adds the end.
func body(locals int, code ...byte) []byte {
	b := []byte{0}
	if locals > 0 {
		b = append(sized([]byte{1}, locals), 0x7f)
	}
	b = append(append(b, code...), 0x0b)
	return append(sized(nil, len(b)), b...)
}

// function makes a module with a memory and one function of type () -> (), which may be
// called itself.
func function(locals int, code ...byte) []byte {
	return functions(body(locals, code...))
}

func functions(bodies ...[]byte) []byte {
	return module(
		section(1, 1, 0x60, 0, 0),
		section(3, append(sized(nil, len(bodies)), make([]byte, len(bodies))...)...),
		section(5, 1, 0, 1),
		section(10, vector(bodies...)...),
	)
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return b
}
