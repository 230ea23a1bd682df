// Package wasm reads WebAssembly binaries before any engine sees them: what a file is, what
// a module imports and exports, which features it uses, and how much work it would be to
// compile. It also writes a module anew so that an engine can interrupt it anywhere.
//
// Engines trust counts, and some take minutes over a few kilobytes that were made for it.
// This package trusts nothing: its time is linear in the size of the file, its memory a
// small multiple of it. It checks the format only. Types are left to the engines.
package wasm
