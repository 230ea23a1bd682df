package wasm

import (
	"bytes"
	"unicode/utf8"
)

// FileKind is what a file is, as far as its first bytes tell.
type FileKind uint8

// The kinds of file that people mistake for a module. Only [Core] is one.
const (
	Unknown FileKind = iota
	Core
	Component
	OtherVersion // begins as WebAssembly does, with a version that is not known
	CutOff       // ends inside the header
	Empty
	ModuleText // WAT
	HTML
	Text
	Zip
	Compressed
	Bitcode
	Archive
	ELF
	MachO
	PE
)

// The headers of the two layers of WebAssembly.
const (
	magic           = "\x00asm"
	coreHeader      = magic + "\x01\x00\x00\x00"
	componentHeader = magic + "\x0d\x00\x01\x00"
	headerSize      = len(coreHeader)
)

// signatures tells files apart by how they begin.
func signatures() []struct {
	prefix string
	kind   FileKind
} {
	return []struct {
		prefix string
		kind   FileKind
	}{
		{coreHeader, Core},
		{componentHeader, Component},
		{magic, OtherVersion},
		{"PK\x03\x04", Zip},
		{"\x1f\x8b", Compressed},
		{"\x28\xb5\x2f\xfd", Compressed},
		{"\xfd7zXZ", Compressed},
		{"BZh", Compressed},
		{"BC\xc0\xde", Bitcode},
		{"!<arch>\n", Archive},
		{"\x7fELF", ELF},
		{"\xfe\xed\xfa\xce", MachO},
		{"\xfe\xed\xfa\xcf", MachO},
		{"\xce\xfa\xed\xfe", MachO},
		{"\xcf\xfa\xed\xfe", MachO},
		{"\xca\xfe\xba\xbe", MachO},
		{"MZ", PE},
	}
}

// Kind says what a file is.
func Kind(b []byte) FileKind {
	if len(b) == 0 {
		return Empty
	}
	if len(b) < headerSize && (bytes.HasPrefix([]byte(magic), b) || bytes.HasPrefix(b, []byte(magic))) {
		return CutOff
	}
	for _, s := range signatures() {
		if bytes.HasPrefix(b, []byte(s.prefix)) {
			return s.kind
		}
	}
	return textKind(b)
}

// textKind looks at the beginning only: a module of a hundred megabytes should not be read
// to learn that it is none.
func textKind(b []byte) FileKind {
	const enough = 4096
	head := bytes.TrimPrefix(b[:min(len(b), enough)], []byte("\xef\xbb\xbf"))
	if !isText(head, len(b) > enough) {
		return Unknown
	}
	start := bytes.ToLower(skipComments(head))
	switch {
	case bytes.HasPrefix(start, []byte("(module")), bytes.HasPrefix(start, []byte("(component")):
		return ModuleText
	case bytes.HasPrefix(start, []byte("<!doctype html")), bytes.HasPrefix(start, []byte("<html")):
		return HTML
	default:
		return Text
	}
}

func isText(b []byte, cut bool) bool {
	if cut { // the last character may have been cut in two
		for i := 0; i < utf8.UTFMax && len(b) > 0 && !utf8.Valid(b); i++ {
			b = b[:len(b)-1]
		}
	}
	return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0
}

// skipComments skips white space and the line comments of the text format.
func skipComments(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		if !bytes.HasPrefix(b, []byte(";;")) {
			return b
		}
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
}

// String says what the file is, to follow "the file is".
func (k FileKind) String() string {
	switch k {
	case Core:
		return "a core WebAssembly module"
	case Component:
		return "a WebAssembly component"
	case OtherVersion:
		return "WebAssembly of an unknown version"
	case CutOff:
		return "cut off inside its header"
	case Empty:
		return "empty"
	case ModuleText:
		return "WebAssembly text"
	case HTML:
		return "an HTML page"
	case Text:
		return "text"
	case Zip:
		return "a zip archive"
	case Compressed:
		return "compressed"
	case Bitcode:
		return "LLVM bitcode"
	case Archive:
		return "a library archive"
	case ELF:
		return "a native program or object file (ELF)"
	case MachO:
		return "a native program or object file (Mach-O)"
	case PE:
		return "a native program (PE)"
	default:
		return "not WebAssembly"
	}
}

// Hint says what to do to get a module; it is empty for one.
func (k FileKind) Hint() string {
	const build = "build a core module that is a reactor: with Go GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, with clang -mexec-model=reactor, with Rust a cdylib for wasm32-wasip1 or wasm32-unknown-unknown"
	switch k {
	case Core:
		return ""
	case Component:
		return "build a core module instead of a component: with Rust a cdylib for wasm32-wasip1 and not for wasm32-wasip2, with TinyGo -target=wasip1"
	case OtherVersion:
		return "build for version 1 of the core format"
	case CutOff, Empty:
		return "copy or build the file again"
	case ModuleText:
		return "translate it to the binary format with wat2wasm"
	case HTML:
		return "the download may have been an error page: fetch the file again"
	case Zip, Compressed:
		return "unpack it and name the .wasm file in it"
	case Bitcode, Archive:
		return "link it to a module: clang -mexec-model=reactor, or crate-type cdylib with Rust"
	default:
		return build
	}
}
