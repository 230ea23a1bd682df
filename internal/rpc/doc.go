// Package rpc speaks JSON-RPC with one language server over its stdin and
// stdout, bounded in every direction.
//
// A language server is a program that nobody here wrote: it may print to
// stdout, announce a body of two gigabytes, answer with an id nobody asked
// with, or stop reading. A [Conn] takes what is usable, fails one request where
// one reply is bad, and ends the connection only when it can no longer tell
// where a message begins. Memory, waiting and writing have limits, and the
// first cause of a failure is kept and told to everyone.
//
// # Who does what
//
// Calls are matched with their replies by github.com/sourcegraph/jsonrpc2, over
// an ObjectStream of this package. That library trusts its peer: it reads frames
// of any size, closes the connection on an envelope it does not expect, and
// decodes every payload three times. So the stream gives it only what it is good
// at, a short reply of the right form for a call that is open; payloads stay
// here, and notifications and server requests never pass through it.
//
// # Framing
//
// A line named Content-Length is a header wherever it stands, and must be
// right: digits only, ended by CRLF. Every other line before it is stray text:
// skipped and counted, up to 64 KiB between two messages. A header block is
// closed by an empty CRLF line; a block that ends its lines in LF alone ends the
// connection with an error that says so, instead of waiting for a CRLF that
// never comes.
package rpc
