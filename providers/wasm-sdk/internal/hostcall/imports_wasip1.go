package hostcall

import "unsafe"

// A string stands for a pointer and a length. The linker keeps a declaration only if something
// calls it: that is how a module asks for no more than it uses.

//go:wasmimport navseam_v1 path
//go:noescape
func path(p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 error
//go:noescape
func errorReason(p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 language
//go:noescape
func language(p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 source_size
func sourceSize() int32

//go:wasmimport navseam_v1 source
//go:noescape
func source(offset uint32, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 config
//go:noescape
func config(p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 remaining_ms
func remainingMs() int32

//go:wasmimport navseam_v1 locations
//go:noescape
func locations(records unsafe.Pointer, count uint32)

//go:wasmimport navseam_v1 hover
//go:noescape
func hover(markdown string)

//go:wasmimport navseam_v1 hover_range
func hoverRange(startLine, startCharacter, endLine, endCharacter uint32)

//go:wasmimport navseam_v1 incomplete
func incomplete()

//go:wasmimport navseam_v1 message
//go:noescape
func message(text string)

//go:wasmimport navseam_v1 log
//go:noescape
func log(level uint32, text string)

//go:wasmimport navseam_v1 file_open
//go:noescape
func fileOpen(path string) int32

//go:wasmimport navseam_v1 file_size
func fileSize(handle int32) int64

//go:wasmimport navseam_v1 file_read
//go:noescape
func fileRead(handle int32, offset int64, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 file_close
func fileClose(handle int32)

//go:wasmimport navseam_v1 file_stat
//go:noescape
func fileStat(path string, out unsafe.Pointer) int32

//go:wasmimport navseam_v1 dir_read
//go:noescape
func dirRead(path string, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 http_request
//go:noescape
func httpRequest(method, url, headers, body string) int32

//go:wasmimport navseam_v1 http_status
func httpStatus(handle int32) int32

//go:wasmimport navseam_v1 http_headers
//go:noescape
func httpHeaders(handle int32, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 http_read
//go:noescape
func httpRead(handle int32, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 http_close
func httpClose(handle int32)

//go:wasmimport navseam_v1 cache_get
//go:noescape
func cacheGet(key string, p unsafe.Pointer, size uint32) int32

//go:wasmimport navseam_v1 cache_put
//go:noescape
func cachePut(key, value string) int32
