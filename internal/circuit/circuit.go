// Package circuit is for leaving alone, for a while, what keeps failing: a language server
// or a module in one workspace.
package circuit

import (
	"fmt"
	"time"

	"github.com/navseam/navseam/seam"
)

// Limit says when something that keeps failing is left alone, and for how long.
type Limit struct {
	Failures int // in a row
	Cooldown time.Duration
}

// Breaker counts failures in a row. When there are too many it is open for a while, and
// each time it opens again for twice as long. Whoever has it guards it with a lock.
type Breaker struct {
	Limit Limit

	failures int
	opened   int // times in a row
	until    time.Time
	at       time.Time // of the last failure
	last     error
}

// maxDoublings bounds the longest cool-down to 16 times the configured one.
const maxDoublings = 4

// Failed counts a failure.
func (b *Breaker) Failed(now time.Time, err error) {
	b.failures++
	b.last = err
	b.at = now
	if b.failures < b.Limit.Failures {
		return
	}
	b.until = now.Add(b.Limit.Cooldown << min(b.opened, maxDoublings))
	b.opened++
}

// Succeeded closes the circuit and forgets the failures.
func (b *Breaker) Succeeded() { *b = Breaker{Limit: b.Limit} }

// Open reports for how much longer nothing may be started. After the cool-down one more
// failure opens it again, and one success closes it.
func (b *Breaker) Open(now time.Time) time.Duration { return max(0, b.until.Sub(now)) }

// Remembers reports whether a failure still counts: one is forgotten a cool-down after the
// last of them could have opened the circuit.
func (b *Breaker) Remembers(now time.Time) bool {
	return b.failures > 0 && now.Before(b.at.Add(2*b.Limit.Cooldown<<min(b.opened, maxDoublings)))
}

// Failures counts those in a row.
func (b *Breaker) Failures() int { return b.failures }

// Last is the last of those failures, or nil.
func (b *Breaker) Last() error { return b.last }

// Refusal is the error while the circuit is open for that long. The noun says what the id
// is of.
func (b *Breaker) Refusal(noun, id string, left time.Duration) *seam.Error {
	message := fmt.Sprintf("%s %q failed too often and is left alone for now", noun, id)
	if b.last != nil {
		message += ": " + b.last.Error()
	}
	return &seam.Error{Code: seam.CodeUnavailable, Message: message, Retryable: true, RetryAfter: left, Err: b.last}
}
