// Package mcp shows the tool to agents over the Model Context Protocol: on standard input
// and output, over streamable HTTP, and as a bridge from the first to the second.
//
// A face adds nothing to the tool and takes nothing away: arguments go through as they came,
// and an answer is its text, with the same facts for programs under the result's _meta.
// What this package adds is what agents need around a call: which folder it is about, news
// while a server gets ready, a cancel that arrives, and a session that survives bad input.
package mcp
