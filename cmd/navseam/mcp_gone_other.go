//go:build !unix

package main

import "io"

// goneFrom is nil: only a write finds out.
func goneFrom(io.Writer) func() bool { return nil }
