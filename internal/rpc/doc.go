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
// # Framing
//
// A line named Content-Length is a header wherever it stands, and must be
// right: digits only, ended by CRLF. Every other line before it is stray text:
// skipped and counted, up to 64 KiB between two messages. A header block is
// closed by an empty CRLF line; a block that ends its lines in LF alone ends the
// connection with an error that says so, instead of waiting for a CRLF that
// never comes.
package rpc
