package stdio

import (
	"time"

	"github.com/navseam/navseam/seam"
)

// breaker counts the failures in a row of one provider in one workspace. When there are
// too many it is open for a while, and each time it opens again for twice as long. The
// pool's lock guards it.
type breaker struct {
	limit    Circuit
	failures int
	opened   int // times in a row
	until    time.Time
	at       time.Time // of the last failure
	last     error
}

// maxDoublings bounds the longest cool-down to 16 times the configured one.
const maxDoublings = 4

func (b *breaker) failed(now time.Time, err error) {
	b.failures++
	b.last = err
	b.at = now
	if b.failures < b.limit.Failures {
		return
	}
	b.until = now.Add(b.limit.Cooldown << min(b.opened, maxDoublings))
	b.opened++
}

func (b *breaker) succeeded() { *b = breaker{limit: b.limit} }

// open reports for how much longer no server may be started. After the cool-down one
// more failure opens it again, and one success closes it.
func (b *breaker) open(now time.Time) time.Duration { return max(0, b.until.Sub(now)) }

// remembers reports whether a failure still counts: one is forgotten a cool-down after the
// last of them could have opened the circuit.
func (b *breaker) remembers(now time.Time) bool {
	return b.failures > 0 && now.Before(b.at.Add(2*b.limit.Cooldown<<min(b.opened, maxDoublings)))
}

func (b *breaker) refusal(id string, left time.Duration) error {
	message := "server \"" + id + "\" failed too often and is left alone for now"
	if b.last != nil {
		message += ": " + b.last.Error()
	}
	return &seam.Error{Code: seam.CodeUnavailable, Message: message, Retryable: true, RetryAfter: left, Err: b.last}
}
