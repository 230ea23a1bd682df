package main

import (
	"io"
	"time"
)

// unread is a stderr that nobody has to read: what it cannot take at once waits its turn, and is
// lost when there is too much of it. A client that starts a server often leaves its stderr in a
// pipe, and a full pipe must hold neither answers nor the end.
type unread struct {
	lines chan []byte
	quit  chan struct{} // closed when no more is awaited
	ended chan struct{}
}

const (
	unreadLines = 1000
	unreadWait  = time.Second // at the end
)

func newUnread(w io.Writer) *unread {
	u := &unread{lines: make(chan []byte, unreadLines), quit: make(chan struct{}), ended: make(chan struct{})}
	go u.pump(w)
	return u
}

// pump writes. Where nobody is there to read, the others are lost too.
func (u *unread) pump(w io.Writer) {
	defer close(u.ended)
	for {
		select {
		case line := <-u.lines:
			_, _ = w.Write(line)
			continue
		default:
		}
		select {
		case line := <-u.lines:
			_, _ = w.Write(line)
		case <-u.quit:
			return
		}
	}
}

// Write never blocks and never fails.
func (u *unread) Write(p []byte) (int, error) {
	select {
	case u.lines <- append([]byte(nil), p...):
	default:
	}
	return len(p), nil
}

// close waits for what was written, though not for long. What is written later may be lost.
func (u *unread) close() {
	close(u.quit)
	select {
	case <-u.ended:
	case <-time.After(unreadWait):
	}
}

// sayingTo is the same console with another stderr.
func (c *console) sayingTo(stderr io.Writer) *console {
	other := *c
	other.stderr = stderr
	return &other
}
