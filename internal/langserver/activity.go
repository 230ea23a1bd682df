package langserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// activity is what a server says about its own work: its progress, which people are
// shown, and the ready signal, which the first query waits for.
type activity struct {
	when  ReadyWhen
	ready chan struct{} // closes once: the signal was seen, or waited for long enough

	mu       sync.Mutex
	isOpen   bool          // ready is not closed yet
	seen     bool          // the signal was seen
	again    chan struct{} // closed when the signal is seen again; nil: nobody waits for that
	begun    bool          // the progress whose end is the signal has begun
	works    []work
	restless bool          // the last status was not quiescent
	still    chan struct{} // closed while the server does not say that it is at what the signal is about
	busy     bool          // still is open
	relapses uint64        // times that it became busy
}

// work is one work-done progress that has begun and not ended.
type work struct {
	token, title, detail string
}

func newActivity(when ReadyWhen) *activity {
	still := make(chan struct{})
	close(still)
	return &activity{when: when, ready: make(chan struct{}), isOpen: true, still: still}
}

// handshaken says that the server may be asked now. Without a signal to wait for it is
// ready at once.
func (a *activity) handshaken() {
	if !a.when.signals() {
		a.settle(false)
	}
}

// settle closes ready. It is true for the call that did.
func (a *activity) settle(seen bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = a.seen || seen
	if seen && a.again != nil {
		close(a.again)
		a.again = nil
	}
	if !a.isOpen {
		return false
	}
	a.isOpen = false
	close(a.ready)
	return true
}

// isReady reports whether nobody waits for the signal any more.
func (a *activity) isReady() bool {
	select {
	case <-a.ready:
		return true
	default:
		return false
	}
}

// late reports whether a signal was waited for in vain.
func (a *activity) late() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.when.signals() && !a.isOpen && !a.seen
}

// anew is closed when the signal is seen the next time.
func (a *activity) anew() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.again == nil {
		a.again = make(chan struct{})
	}
	return a.again
}

// hasBegun reports whether the progress has begun whose end is the signal.
func (a *activity) hasBegun() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.begun
}

func (a *activity) progress(params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       string   `json:"kind"`
			Title      string   `json:"title"`
			Message    string   `json:"message"`
			Percentage *float64 `json:"percentage"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	token := strings.Trim(string(p.Token), `"`)
	detail := p.Value.Message
	if p.Value.Percentage != nil {
		detail = strings.TrimSpace(fmt.Sprintf("%.0f%% %s", *p.Value.Percentage, detail))
	}
	switch p.Value.Kind {
	case "begin":
		a.update(work{token, p.Value.Title, detail})
	case "report":
		a.update(work{token, "", detail})
	case "end":
		if a.when.isProgress(a.end(token)) {
			a.settle(true)
		}
	}
}

// maxWorks bounds what a server that never ends its progress can make us keep.
const maxWorks = 64

func (a *activity) update(w work) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.weigh()
	a.begun = a.begun || a.when.isProgress(w)
	i := slices.IndexFunc(a.works, func(other work) bool { return other.token == w.token })
	switch {
	case i >= 0 && w.title == "":
		a.works[i].detail = w.detail
	case i >= 0:
		a.works[i] = w
	case len(a.works) < maxWorks:
		a.works = append(a.works, w)
	}
}

// end forgets a work and returns it.
func (a *activity) end(token string) work {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.weigh()
	i := slices.IndexFunc(a.works, func(w work) bool { return w.token == token })
	if i < 0 {
		return work{token: token}
	}
	ended := a.works[i]
	a.works = slices.Delete(a.works, i, i+1)
	return ended
}

// weigh decides whether the server is at what the signal is about.
func (a *activity) weigh() {
	busy := a.restless || slices.ContainsFunc(a.works, a.when.isProgress)
	switch {
	case busy && !a.busy:
		a.relapses++
		a.still = make(chan struct{})
	case !busy && a.busy:
		close(a.still)
	}
	a.busy = busy
}

// quiet is closed while the server does not say that it is busy. Some say so again after they
// were ready: what they answer then does not count.
func (a *activity) quiet() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.still
}

// turns is how often the server became busy, and whether it is quiet now.
func (a *activity) turns() (relapses uint64, quiet bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.relapses, !a.busy
}

func (a *activity) logged(params json.RawMessage) {
	if a.when.Log == nil {
		return
	}
	var p struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(params, &p) == nil && a.when.Log.MatchString(p.Message) {
		a.settle(true)
	}
}

func (a *activity) status(params json.RawMessage) {
	var p struct {
		Quiescent bool `json:"quiescent"`
	}
	if a.when.Status == "" || json.Unmarshal(params, &p) != nil {
		return
	}
	a.mu.Lock()
	a.restless = !p.Quiescent
	a.weigh()
	a.mu.Unlock()
	if p.Quiescent {
		a.settle(true)
	}
}

// current describes the latest work for people, or is empty.
func (a *activity) current() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.works) == 0 {
		return ""
	}
	w := a.works[len(a.works)-1]
	if w.title == "" || w.detail == "" {
		return w.title + w.detail
	}
	return w.title + ": " + w.detail
}
