// Package workspace is how navseam sees folders and files: canonical roots, reads
// that cannot leave them, and file: URIs.
//
// A [Root] says which folder is meant, however it was spelled. A [View] of a root
// reads source files for one provider: only what the root contains, what the
// deployment opened to it, and what the provider itself returned before. A [Folder] is
// for code that is not trusted, to read what lies in one folder and nothing else. All
// file work runs on the workers of a [Files], so that a mount that hangs holds a worker
// and never a caller.
package workspace
