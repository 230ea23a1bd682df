//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// goneFrom tells whether nobody reads the other end of a pipe or socket any more, without
// writing to it.
func goneFrom(out io.Writer) func() bool {
	file, ok := out.(*os.File)
	if !ok {
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return func() (gone bool) {
		err := conn.Control(func(fd uintptr) {
			polled := []unix.PollFd{{Fd: int32(fd)}}
			n, err := unix.Poll(polled, 0)
			gone = err == nil && n > 0 && polled[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
		})
		return gone || err != nil
	}
}
