//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns is how many characters fit into a line of a terminal.
func columns(terminal *os.File) int {
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return usualColumns
	}
	return int(size.Col)
}
