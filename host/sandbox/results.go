package sandbox

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/seam"
)

// The imports that hand an answer over.

func locations(g *guest, m memory, stack []uint64) error {
	count := uint64(uint32(stack[1]))
	if count == 0 {
		return nil
	}
	begin := uint64(uint32(stack[0]))
	end := begin + count*abi.LocationSize
	if end > uint64(len(m)) {
		return breachf("locations", "%d records at %d are outside its memory of %d bytes", count, begin, len(m))
	}
	a, limits := &g.query.answer, &g.space.provider.config.Limits
	var before []byte // the path of the record before
	var uri uint32
	for n := uint64(0); n < count && !a.records.full && a.wrong == ""; n++ {
		if n%recordsPerLook == recordsPerLook-1 && g.ctx.Err() != nil {
			return nil // the engine ends the guest now
		}
		rest := m[begin+n*abi.LocationSize:]
		path, err := m.bytes("locations", uint64(field(rest, 0)), uint64(field(rest, 1)))
		if err != nil {
			return err
		}
		if n == 0 || !sameBytes(path, before) {
			var problem string
			if uri, problem, err = a.records.number(g, limits, path); err != nil {
				return err
			}
			if problem != "" {
				a.wrongf("the path %q of a location %s", head(path), problem)
			}
			before = path
		}
		r := record{uri, field(rest, 2), field(rest, 3), field(rest, 4), field(rest, 5)}
		if !r.valid() {
			a.wrongf("a location in %q has a range that ends before it begins, or a coordinate above %d", head(path), seam.MaxCoordinate)
		}
		a.records.add(limits, r)
	}
	return nil
}

// recordsPerLook is how many locations are taken between looks at the deadline.
const recordsPerLook = 1024

// sameBytes reports whether both are one place in memory, as they are while a module hands
// over the locations of a file.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && unsafe.SliceData(a) == unsafe.SliceData(b)
}

// head is enough of a text for a message.
func head(b []byte) []byte { return b[:min(len(b), 200)] }

func field(record []byte, n int) uint32 { return binary.LittleEndian.Uint32(record[4*n:]) }

func hover(g *guest, m memory, stack []uint64) error {
	b, err := m.utf8("hover", stack[0], stack[1])
	if err != nil {
		return err
	}
	a := &g.query.answer
	a.hover = string(a.cut(&g.space.provider.config.Limits, b))
	return nil
}

func hoverRange(g *guest, _ memory, stack []uint64) error {
	g.query.answer.hoverRange = &record{0, uint32(stack[0]), uint32(stack[1]), uint32(stack[2]), uint32(stack[3])}
	return nil
}

func incomplete(g *guest, _ memory, _ []uint64) error {
	g.query.answer.incomplete = true
	return nil
}

// maxMessageBytes bounds what a module says of a failure.
const maxMessageBytes = 4096

func message(g *guest, m memory, stack []uint64) error {
	b, err := m.utf8("message", stack[0], stack[1])
	if err != nil {
		return err
	}
	// It becomes a part of a line: a module begins none of its own in a log or a terminal.
	g.message = strings.Join(strings.Fields(shorten(string(b[:min(len(b), maxMessageBytes+1)]), maxMessageBytes)), " ")
	return nil
}

// shorten cuts a text between characters.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
