package process

import "sync"

// flag is raised once; whoever waits for it sees a closed channel.
type flag struct {
	once sync.Once
	c    chan struct{}
}

func newFlag() *flag { return &flag{c: make(chan struct{})} }

func (f *flag) raise() { f.once.Do(func() { close(f.c) }) }

func (f *flag) raised() bool {
	select {
	case <-f.c:
		return true
	default:
		return false
	}
}
