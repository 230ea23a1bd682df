//go:build !unix

package main

import "os"

// columns is how many characters fit into a line of a terminal.
func columns(*os.File) int { return usualColumns }
