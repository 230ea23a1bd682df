// Package sandbox makes a [seam.Provider] of a WebAssembly module that nobody has to trust:
// the module sees the document that a question is about, and what the deployment grants.
//
// A file becomes a release: it is read once, inspected without running any of it, admitted by
// the configuration, rewritten so that it can be stopped anywhere, and compiled. A release has
// a space in each workspace that it is asked about, and a space its instances: a query takes
// one, calls the export of the operation, and judges what was handed over. An instance whose
// code did not return is discarded. A file that changes becomes a release of its own, and the
// one before ends with its last query.
//
// What a module may call is one table (table.go) for all engines, with the host's side of each
// function beside it: document.go, results.go, output.go, files.go, http.go, cache.go and wasi.go.
package sandbox
