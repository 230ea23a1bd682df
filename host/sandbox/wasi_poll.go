package sandbox

import (
	"encoding/binary"
	"math"
	"time"
)

const (
	subscriptionSize = 48
	eventSize        = 32
	maxSubscriptions = 1024
	eventClock       = 0 // the tag of a subscription
	absoluteTime     = 1 // a flag of it
)

// subscription is what a guest waits for: a clock, or something that ends at once with an
// error.
type subscription struct {
	userdata uint64
	tag      byte
	left     time.Duration
	err      errno
}

// poll sleeps until the first clock of the subscriptions, or until the time of the call is
// nearly over: that clock then says that it timed out.
func poll(g *guest, m memory, stack []uint64) error {
	count := uint32(stack[2])
	if count == 0 || count > maxSubscriptions {
		return wasiResult(stack, einval)
	}
	in, out, occurred := m.at(stack[0], subscriptionSize*int(count)), m.at(stack[1], eventSize*int(count)), m.at(stack[3], 4)
	if in == nil || out == nil || occurred == nil {
		return wasiResult(stack, efault)
	}
	subscriptions := make([]subscription, count)
	first := time.Duration(math.MaxInt64)
	for i := range subscriptions {
		subscriptions[i] = g.subscription(in[i*subscriptionSize:])
		first = min(first, subscriptions[i].left)
	}
	slept := g.sleep(first)
	n := 0
	for _, s := range subscriptions {
		if s.left > first {
			continue
		}
		if !slept && s.err == noError {
			s.err = etimeout
		}
		event := out[n*eventSize:][:eventSize]
		clear(event)
		binary.LittleEndian.PutUint64(event, s.userdata)
		binary.LittleEndian.PutUint16(event[8:], uint16(s.err))
		event[10] = s.tag
		n++
	}
	binary.LittleEndian.PutUint32(occurred, uint32(n))
	return wasiResult(stack, noError)
}

func (g *guest) subscription(b []byte) subscription {
	s := subscription{userdata: binary.LittleEndian.Uint64(b), tag: b[8]}
	if s.tag != eventClock {
		s.err = enotsup
		return s
	}
	clock, timeout := binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint64(b[24:])
	if clock > clockMonotonic {
		s.err = einval
		return s
	}
	if binary.LittleEndian.Uint16(b[40:])&absoluteTime != 0 {
		timeout -= min(timeout, g.clock(clock))
	}
	s.left = time.Duration(min(timeout, math.MaxInt64))
	return s
}

// sleep reports whether the time passed before the guest had to go on.
func (g *guest) sleep(pause time.Duration) bool {
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-g.waiting().Done():
		return false
	}
}
