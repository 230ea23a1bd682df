package hostcall

import (
	"unsafe"

	"github.com/navseam/navseam/abi"
)

func pointer(p []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(p)) }
func text(p []byte) string            { return unsafe.String(unsafe.SliceData(p), len(p)) }
func size(p []byte) uint32            { return uint32(len(p)) }

// Address is where a text lies in memory. It must be kept alive while that is used.
func Address(text string) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.StringData(text)))) }

func Path(p []byte) int32     { return path(pointer(p), size(p)) }
func Error(p []byte) int32    { return errorReason(pointer(p), size(p)) }
func Language(p []byte) int32 { return language(pointer(p), size(p)) }
func SourceSize() int32       { return sourceSize() }
func Config(p []byte) int32   { return config(pointer(p), size(p)) }
func RemainingMs() int32      { return remainingMs() }
func Hover(markdown string)   { hover(markdown) }
func Incomplete()             { incomplete() }
func Message(text string)     { message(text) }

func Source(offset uint32, p []byte) int32 { return source(offset, pointer(p), size(p)) }
func Log(level uint32, text string)        { log(level, text) }

func HoverRange(startLine, startCharacter, endLine, endCharacter uint32) {
	hoverRange(startLine, startCharacter, endLine, endCharacter)
}

// Locations hands records over.
func Locations(records []Record) {
	locations(unsafe.Pointer(unsafe.SliceData(records)), uint32(len(records)))
}

func FileOpen(path string) int32              { return fileOpen(path) }
func FileSize(handle int32) int64             { return fileSize(handle) }
func FileClose(handle int32)                  { fileClose(handle) }
func DirRead(path string, p []byte) int32     { return dirRead(path, pointer(p), size(p)) }
func HTTPStatus(handle int32) int32           { return httpStatus(handle) }
func HTTPRead(handle int32, p []byte) int32   { return httpRead(handle, pointer(p), size(p)) }
func HTTPClose(handle int32)                  { httpClose(handle) }
func CacheGet(key string, p []byte) int32     { return cacheGet(key, pointer(p), size(p)) }
func CachePut(key string, value []byte) int32 { return cachePut(key, text(value)) }

func FileRead(handle int32, offset int64, p []byte) int32 {
	return fileRead(handle, offset, pointer(p), size(p))
}

func FileStat(path string, out *[abi.FileStatSize]byte) int32 {
	return fileStat(path, unsafe.Pointer(out))
}

func HTTPRequest(method, url, headers string, body []byte) int32 {
	return httpRequest(method, url, headers, text(body))
}

func HTTPHeaders(handle int32, p []byte) int32 { return httpHeaders(handle, pointer(p), size(p)) }
