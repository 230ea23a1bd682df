// Package sandbox makes a seam.Provider of a WebAssembly module that nobody has to trust:
// the module sees the document that the question is about, and what the deployment grants.
package sandbox
