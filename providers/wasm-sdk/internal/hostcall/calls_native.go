//go:build !wasip1

package hostcall

import (
	"sync"

	"github.com/navseam/navseam/abi"
)

// Host answers the imports outside of a module. A slice stands for a pointer and its cap.
type Host interface {
	Path(p []byte) int32
	Error(p []byte) int32
	Language(p []byte) int32
	SourceSize() int32
	Source(offset uint32, p []byte) int32
	Config(p []byte) int32
	RemainingMs() int32
	Locations(records []Record, texts []string)
	Hover(markdown string)
	HoverRange(startLine, startCharacter, endLine, endCharacter uint32)
	Incomplete()
	Message(text string)
	Log(level uint32, text string)

	FileOpen(path string) int32
	FileSize(handle int32) int64
	FileRead(handle int32, offset int64, p []byte) int32
	FileClose(handle int32)
	FileStat(path string, out *[abi.FileStatSize]byte) int32
	DirRead(path string, p []byte) int32

	HTTPRequest(method, url, headers string, body []byte) int32
	HTTPStatus(handle int32) int32
	HTTPHeaders(handle int32, p []byte) int32
	HTTPRead(handle int32, p []byte) int32
	HTTPClose(handle int32)

	CacheGet(key string, p []byte) int32
	CachePut(key string, value []byte) int32
}

// The state of the one instance that a native program is: who answers, while a call runs.
var (
	serving sync.Mutex // held for a whole call: an instance serves one at a time
	current Host
)

// Serve lets h answer while f runs. Calls of several goroutines wait for each other.
func Serve(h Host, f func()) {
	serving.Lock()
	defer serving.Unlock()
	current = h
	defer func() { current = nil }()
	f()
}

func host() Host {
	if current == nil {
		panic("wasmsdk: there is no host outside of a module: in a test, ask through wasmsdktest.Host")
	}
	return current
}

// addressed is the texts whose address was asked for, since pointers do not fit into records here.
var addressed []string

// Address is the index of a text among those of the next [Locations].
func Address(text string) uint32 {
	addressed = append(addressed, text)
	return uint32(len(addressed) - 1)
}

func Path(p []byte) int32     { return host().Path(p) }
func Error(p []byte) int32    { return host().Error(p) }
func Language(p []byte) int32 { return host().Language(p) }
func SourceSize() int32       { return host().SourceSize() }
func Config(p []byte) int32   { return host().Config(p) }
func RemainingMs() int32      { return host().RemainingMs() }
func Hover(markdown string)   { host().Hover(markdown) }
func Incomplete()             { host().Incomplete() }
func Message(text string)     { host().Message(text) }

func Source(offset uint32, p []byte) int32 { return host().Source(offset, p) }
func Log(level uint32, text string)        { host().Log(level, text) }

func HoverRange(startLine, startCharacter, endLine, endCharacter uint32) {
	host().HoverRange(startLine, startCharacter, endLine, endCharacter)
}

// Locations hands records over.
func Locations(records []Record) {
	host().Locations(records, addressed)
	addressed = nil
}

func FileOpen(path string) int32          { return host().FileOpen(path) }
func FileSize(handle int32) int64         { return host().FileSize(handle) }
func FileClose(handle int32)              { host().FileClose(handle) }
func DirRead(path string, p []byte) int32 { return host().DirRead(path, p) }

func FileRead(handle int32, offset int64, p []byte) int32 {
	return host().FileRead(handle, offset, p)
}

func FileStat(path string, out *[abi.FileStatSize]byte) int32 { return host().FileStat(path, out) }

func HTTPRequest(method, url, headers string, body []byte) int32 {
	return host().HTTPRequest(method, url, headers, body)
}

func HTTPStatus(handle int32) int32            { return host().HTTPStatus(handle) }
func HTTPHeaders(handle int32, p []byte) int32 { return host().HTTPHeaders(handle, p) }
func HTTPRead(handle int32, p []byte) int32    { return host().HTTPRead(handle, p) }
func HTTPClose(handle int32)                   { host().HTTPClose(handle) }

func CacheGet(key string, p []byte) int32     { return host().CacheGet(key, p) }
func CachePut(key string, value []byte) int32 { return host().CachePut(key, value) }
