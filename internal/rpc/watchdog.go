package rpc

import (
	"sync"
	"time"
)

// watchdog notices a write that takes too long. Its timer runs on over many writes: to
// set one for each would wake a thread each time.
type watchdog struct {
	limit time.Duration // 0: no limit
	late  func()

	mu    sync.Mutex
	begun time.Time // of the write under way, else zero
	timer *time.Timer
	set   bool // the timer runs
}

func (d *watchdog) begin() {
	if d.limit == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begun = time.Now()
	switch {
	case d.timer == nil:
		d.timer = time.AfterFunc(d.limit, d.look)
	case !d.set:
		d.timer.Reset(d.limit)
	}
	d.set = true
}

func (d *watchdog) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begun = time.Time{}
}

// look is the timer: it looks at the write under way, and sleeps when there is none.
func (d *watchdog) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	left := d.limit - time.Since(d.begun)
	switch {
	case d.begun.IsZero():
		d.set = false
	case left > 0:
		d.timer.Reset(left)
	default:
		d.set = false
		go d.late()
	}
}

// stop ends the timer.
func (d *watchdog) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
}
