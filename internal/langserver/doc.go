// Package langserver runs one language server: its process, the handshake, the
// documents that it holds open, its requests to us, and the four questions, from
// the first byte to the last process that it left behind.
//
// A [Server] is one process in one workspace. It starts by itself, outlives the
// caller that wanted it, and is asked one question at a time; its owner, a pool,
// sees to that. How a query goes:
//
//	started    the handshake is done, or has failed for good
//	ready      the signal that the deployment named was seen, or waited for long enough
//	gate       the server offers the operation, and documents can be opened
//	documents  what is open is what is on disk
//	bring      what else changed there is told, touched, or needs a fresh process
//	ask        one LSP request, again until the answer has settled; a caller that gives up has it cancelled
//	normalize  the server's answer in the seam's terms, and how far it may be trusted to be whole
package langserver
