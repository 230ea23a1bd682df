// Package load proves that callers do not hurt each other: many of them ask many providers in
// many workspaces, while processes are killed, the configuration is read again, and callers give
// up. Every answer is right or has a code, and none is late.
package load
