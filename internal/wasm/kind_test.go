package wasm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/wasm"
)

func TestKind(t *testing.T) {
	for _, c := range []struct {
		file string
		kind wasm.FileKind
		says string
	}{
		{"", wasm.Empty, "empty"},
		{"\x00", wasm.CutOff, "cut off"},
		{"\x00asm\x01\x00\x00", wasm.CutOff, "cut off"},
		{header, wasm.Core, "core WebAssembly module"},
		{"\x00asm\x0d\x00\x01\x00\x00", wasm.Component, "WebAssembly component"},
		{"\x00asm\x02\x00\x00\x00", wasm.OtherVersion, "unknown version"},
		{"PK\x03\x04\x00\x00", wasm.Zip, "zip"},
		{"\x1f\x8b\x08\x00", wasm.Compressed, "compressed"},
		{"\x7fELF\x02\x01", wasm.ELF, "ELF"},
		{"\xcf\xfa\xed\xfe\x07", wasm.MachO, "Mach-O"},
		{"MZ\x90\x00", wasm.PE, "PE"},
		{"BC\xc0\xde5", wasm.Bitcode, "bitcode"},
		{"!<arch>\nx", wasm.Archive, "archive"},
		{"\xef\xbb\xbf;; by hand\n (module)", wasm.ModuleText, "WebAssembly text"},
		{"(component)", wasm.ModuleText, "WebAssembly text"},
		{"\n<!DOCTYPE HTML><html>", wasm.HTML, "HTML"},
		{"not found", wasm.Text, "text"},
		{strings.Repeat("a", 4095) + "é" + strings.Repeat("b", 100), wasm.Text, "text"},
		{"\x01\x02\x00\x03", wasm.Unknown, "not WebAssembly"},
	} {
		kind := wasm.Kind([]byte(c.file))
		require.Equal(t, c.kind, kind, "%.20q", c.file)
		require.Contains(t, kind.String(), c.says)
		if kind != wasm.Core {
			require.NotEmpty(t, kind.Hint())
			_, err := wasm.Read([]byte(c.file))
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, kind.Hint())
		}
	}
}
