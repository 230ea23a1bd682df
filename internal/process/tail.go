package process

import (
	"io"
	"sync"
)

// tail keeps the last bytes that were written to it, counted in bytes.
type tail struct {
	limit int

	mu  sync.Mutex
	buf []byte // at most twice the limit, so that appending stays linear
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	limit := max(t.limit, 0)
	last := p[max(len(p)-limit, 0):]
	if len(t.buf)+len(last) > 2*limit {
		keep := limit - len(last)
		t.buf = t.buf[:copy(t.buf, t.buf[max(len(t.buf)-keep, 0):])]
	}
	t.buf = append(t.buf, last...)
	return len(p), nil
}

// String is what is kept. A character that the cut went through stays cut.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(len(t.buf)-max(t.limit, 0), 0):])
}

// collect reads r to its end, whatever comes, so that its writer never blocks.
func (t *tail) collect(r io.Reader) {
	buf := make([]byte, 8<<10)
	for {
		n, err := r.Read(buf)
		t.Write(buf[:n])
		if err != nil {
			return
		}
	}
}
