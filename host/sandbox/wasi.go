package sandbox

import (
	"crypto/rand"
	"encoding/binary"
	"time"
)

// errno is an error number of WASI preview 1.
type errno uint16

const (
	noError  errno = 0
	ebadf    errno = 8
	efault   errno = 21
	einval   errno = 28
	enosys   errno = 52
	enotsup  errno = 58
	etimeout errno = 73
)

// wasi has the functions of preview 1 that do something: the same on every engine. A guest
// has clocks, random bytes and somewhere to print to; no arguments, no environment, no
// files and no sockets.
func wasi() map[string]hostFunction {
	return map[string]hostFunction{
		"args_get":          returning(noError),
		"args_sizes_get":    noStrings,
		"environ_get":       returning(noError),
		"environ_sizes_get": noStrings,
		"clock_res_get":     clockResolution,
		"clock_time_get":    clockTime,
		"fd_close":          onStandard(noError),
		"fd_fdstat_get":     descriptor,
		"fd_prestat_get":    returning(ebadf), // ENOSYS here makes a Go guest panic
		"fd_read":           readNothing,
		"fd_write":          write,
		"poll_oneoff":       poll,
		"proc_exit":         func(_ *guest, _ memory, stack []uint64) error { return &exit{uint32(stack[0])} },
		"random_get":        random,
		"sched_yield":       returning(noError),
	}
}

func wasiResult(stack []uint64, e errno) error {
	stack[0] = uint64(e)
	return nil
}

func returning(e errno) hostFunction {
	return func(_ *guest, _ memory, stack []uint64) error { return wasiResult(stack, e) }
}

// notServed is every other function: there is no descriptor but the standard ones.
func notServed(_ *guest, _ memory, stack []uint64) error {
	if len(stack) == 0 {
		return nil
	}
	if uint32(stack[0]) > 2 {
		return wasiResult(stack, ebadf)
	}
	return wasiResult(stack, enosys)
}

func onStandard(e errno) hostFunction {
	return func(_ *guest, _ memory, stack []uint64) error {
		if uint32(stack[0]) > 2 {
			return wasiResult(stack, ebadf)
		}
		return wasiResult(stack, e)
	}
}

// at returns n bytes of a guest's memory, or nil: WASI has an error for that.
func (m memory) at(ptr uint64, n int) []byte {
	ptr = uint64(uint32(ptr))
	if ptr+uint64(n) > uint64(len(m)) {
		return nil
	}
	return m[ptr : ptr+uint64(n)]
}

func noStrings(_ *guest, m memory, stack []uint64) error {
	count, size := m.at(stack[0], 4), m.at(stack[1], 4)
	if count == nil || size == nil {
		return wasiResult(stack, efault)
	}
	clear(count)
	clear(size)
	return wasiResult(stack, noError)
}

const (
	clockReal      = 0
	clockMonotonic = 1
)

func clockResolution(_ *guest, m memory, stack []uint64) error {
	out := m.at(stack[1], 8)
	switch {
	case uint32(stack[0]) > clockMonotonic:
		return wasiResult(stack, einval)
	case out == nil:
		return wasiResult(stack, efault)
	}
	binary.LittleEndian.PutUint64(out, 1)
	return wasiResult(stack, noError)
}

// clockTime serves real clocks: the collector of a Go guest starves on a fake one.
func clockTime(g *guest, m memory, stack []uint64) error {
	out := m.at(stack[2], 8)
	switch {
	case uint32(stack[0]) > clockMonotonic:
		return wasiResult(stack, einval)
	case out == nil:
		return wasiResult(stack, efault)
	}
	binary.LittleEndian.PutUint64(out, g.clock(uint32(stack[0])))
	return wasiResult(stack, noError)
}

func (g *guest) clock(id uint32) uint64 {
	if id == clockReal {
		return uint64(time.Now().UnixNano())
	}
	return uint64(time.Since(g.space.provider.born)) + 1
}

// descriptor describes the standard ones: character devices.
func descriptor(_ *guest, m memory, stack []uint64) error {
	const (
		characterDevice = 2
		mayRead         = 1 << 1
		mayWrite        = 1 << 6
	)
	fd, out := uint32(stack[0]), m.at(stack[1], 24)
	switch {
	case fd > 2:
		return wasiResult(stack, ebadf)
	case out == nil:
		return wasiResult(stack, efault)
	}
	clear(out)
	out[0] = characterDevice
	rights := uint64(mayWrite)
	if fd == 0 {
		rights = mayRead
	}
	binary.LittleEndian.PutUint64(out[8:], rights)
	return wasiResult(stack, noError)
}

// readNothing is the end of the standard input.
func readNothing(_ *guest, m memory, stack []uint64) error {
	out := m.at(stack[3], 4)
	switch {
	case uint32(stack[0]) != 0:
		return wasiResult(stack, ebadf)
	case out == nil:
		return wasiResult(stack, efault)
	}
	clear(out)
	return wasiResult(stack, noError)
}

// Of one fd_write, so many vectors and bytes are taken: the rest is for the next.
const (
	maxVectors    = 1024
	maxWriteBytes = 64 << 10
)

// write makes log lines of standard output and standard error.
func write(g *guest, m memory, stack []uint64) error {
	fd, count := uint32(stack[0]), int(min(uint32(stack[2]), maxVectors))
	vectors, out := m.at(stack[1], 8*count), m.at(stack[3], 4)
	switch {
	case fd != 1 && fd != 2:
		return wasiResult(stack, ebadf)
	case vectors == nil && count > 0, out == nil:
		return wasiResult(stack, efault)
	}
	written := 0
	for ; len(vectors) > 0 && written < maxWriteBytes; vectors = vectors[8:] {
		ptr, length := binary.LittleEndian.Uint32(vectors), binary.LittleEndian.Uint32(vectors[4:])
		b := m.at(uint64(ptr), int(min(length, uint32(maxWriteBytes-written))))
		if b == nil && length > 0 {
			return wasiResult(stack, efault)
		}
		g.output.write(g, fd, b)
		written += len(b)
		if len(b) < int(length) {
			break
		}
	}
	binary.LittleEndian.PutUint32(out, uint32(written))
	return wasiResult(stack, noError)
}

func random(g *guest, m memory, stack []uint64) error {
	const chunk = 64 << 10
	out := m.at(stack[0], int(uint32(stack[1])))
	if out == nil {
		return wasiResult(stack, efault)
	}
	for len(out) > 0 && g.ctx.Err() == nil {
		n := min(len(out), chunk)
		_, _ = rand.Read(out[:n]) // it does not fail
		out = out[n:]
	}
	return wasiResult(stack, noError)
}
