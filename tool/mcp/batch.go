package mcp

import (
	"bytes"
	"sync"
)

// batch is what was asked in one line, and is answered in one.
type batch struct {
	mu      sync.Mutex
	missing int
	answers [][]byte
}

// expect counts a call. A call that came alone has no batch.
func (b *batch) expect() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing++
}

func (b *batch) add(answer []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, answer)
}

// settle counts an answer, and returns them all after the last. Notifications alone have
// none.
func (b *batch) settle() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.missing--; b.missing > 0 || len(b.answers) == 0 {
		return nil
	}
	all := append([]byte{'['}, bytes.Join(b.answers, []byte{','})...)
	return append(all, ']')
}
