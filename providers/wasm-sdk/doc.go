// Package wasmsdk is for authors of navseam providers in Go: it turns up to four functions
// into a WebAssembly module that answers with them.
//
// # A module
//
// A module is a main package. For each operation that it answers it exports a function of that
// name, one line that leads to the author's own:
//
//	package main
//
//	import (
//		wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
//		"github.com/navseam/navseam/seam"
//	)
//
//	func main() {} // never runs
//
//	//go:wasmexport goToDefinition
//	func goToDefinition(line, character uint32) int32 { return wasmsdk.Navigate(define, line, character) }
//
//	//go:wasmexport hover
//	func hover(line, character uint32) int32 { return wasmsdk.Hover(describe, line, character) }
//
//	func define(q wasmsdk.Query) ([]wasmsdk.Location, error) { … }
//
//	func describe(q wasmsdk.Query) (*seam.Hover, error) { … }
//
// It is built as a reactor, a module without a main function to run:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags='-s -w' -o my.wasm .
//
// The exports are findReferences and goToImplementation with [Navigate] too, and optionally load
// with [Load]. They stand in the author's file because of two things. What a module does not
// answer it must not export, so that a host knows without running it; but go:wasmexport in a
// library exports for every program that imports it. And main never runs in a reactor, so that
// there is no place to register functions but init, which no exports follow from.
//
// # Answers
//
// Lines and characters are counted from zero, characters in UTF-16 code units, and ranges are
// half-open: [seam.Text] converts them. No locations and a nil hover are answers. An error is
// [ErrUnsupported], an [Unavailable], or anything else for a failure, and its text is shown. A
// panic ends the instance: the host logs it, answers LSP_PROVIDER_FAILED, and takes a fresh
// instance for the next query.
//
// # Permissions
//
// The helpers ask the host. [Source], [Config], [Log], [Incomplete] and [Remaining] always work.
// The others need a grant of the deployment: files for [Open] and [FS], http for [Get] and [Do],
// cache for [CacheGet] and [CachePut]. Calling one is what asks for it: the linker drops those
// that are not called, and the rest are the module's imports, which is where a host, and
// "navseam module inspect", read the permissions.
//
// An instance serves one call at a time and lives for many, so variables of the package keep
// what was loaded. Goroutines run only during calls.
//
// # Tests
//
// The same code runs in an ordinary Go test, with the host of package wasmsdktest.
package wasmsdk
