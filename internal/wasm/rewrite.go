package wasm

import (
	"encoding/binary"
	"fmt"
)

// RewriterVersion changes with what [Module.Rewrite] makes of a module. It belongs into the
// key of whatever is kept of the result.
const RewriterVersion = 2

// Rewrite says how a module is written anew.
type Rewrite struct {
	// Entries adds a check to every function that can call another, to long ones that
	// cannot, at every so many calls in a row, and before every instruction of unbounded
	// work. An engine that asks only at the heads of loops whether to go on (wazero) can then
	// be interrupted in recursion, and in long rows of calls and of fills.
	Entries bool
	// TableMax is the most elements that a table may grow to.
	TableMax uint32
}

// check is an empty loop: the head of it is where engines look.
const check = "\x03\x40\x0b"

// keptNames is the largest section "name" that is kept. Traps show the names.
const keptNames = 1 << 20

// Rewrite returns the module that was read from b, which behaves as before but for the
// checks and the maximum of its tables. Custom sections are dropped, but for the names of
// functions.
func (m *Module) Rewrite(b []byte, r Rewrite) ([]byte, error) {
	if len(b) != m.Size {
		return nil, fmt.Errorf("these %d bytes are not the module of %d bytes that was read", len(b), m.Size)
	}
	if len(m.Features) > 0 {
		return nil, fmt.Errorf("the module uses %s", m.Features[0])
	}
	w := &rewriter{m: m, b: b, r: r, bulk: m.bulk}
	w.out = make([]byte, 0, w.capacity())
	w.out = append(w.out, coreHeader...)
	for _, s := range m.sections {
		switch s.id {
		case tableSection:
			if err := w.tables(); err != nil {
				return nil, err
			}
		case codeSection:
			w.code()
		default:
			w.out = append(w.out, b[s.header:s.end]...)
		}
	}
	w.names()
	return w.out, nil
}

type rewriter struct {
	m    *Module
	b    []byte
	r    Rewrite
	bulk []uint32 // those that are still to come
	out  []byte
}

// capacity is enough for the result: sizes of sections and functions may grow too.
func (w *rewriter) capacity() int {
	return len(w.b) + len(check)*(len(w.m.bulk)+len(w.m.Functions)) + binary.MaxVarintLen32*(len(w.m.Functions)+8)
}

func (w *rewriter) number(v uint64) { w.out = binary.AppendUvarint(w.out, v) }

// tables writes the table section with the new maxima.
func (w *rewriter) tables() error {
	payload := binary.AppendUvarint(nil, uint64(len(w.m.Tables)))
	for i, t := range w.m.Tables {
		most := uint64(w.r.TableMax)
		if t.Min > most {
			return fmt.Errorf("table %d has %d elements: the most is %d", i, t.Min, most)
		}
		if t.HasMax {
			most = min(most, t.Max)
		}
		payload = append(payload, byte(t.Element), 1)
		payload = binary.AppendUvarint(payload, t.Min)
		payload = binary.AppendUvarint(payload, most)
	}
	w.section(tableSection, len(payload))
	w.out = append(w.out, payload...)
	return nil
}

func (w *rewriter) section(id byte, size int) {
	w.out = append(w.out, id)
	w.number(uint64(size))
}

func (w *rewriter) code() {
	size := uvarintLen(uint64(len(w.m.Functions)))
	for i := range w.m.Functions {
		body := w.size(&w.m.Functions[i])
		size += uvarintLen(body) + int(body)
	}
	w.section(codeSection, size)
	w.number(uint64(len(w.m.Functions)))
	for i := range w.m.Functions {
		w.function(&w.m.Functions[i])
	}
}

// smallLeaf is the most instructions of a function that calls nothing and has no check. A row
// of calls to such functions is checked at every callsPerCheck-th.
const (
	smallLeaf     = 256
	callsPerCheck = 64
)

// guard reports whether a function needs a check at its entry.
func (w *rewriter) guard(f *Function) bool {
	return w.r.Entries && (f.Calls > 0 && !f.Checked || f.Calls == 0 && f.Instructions > smallLeaf)
}

// size is that of the new body.
func (w *rewriter) size(f *Function) uint64 {
	size := uint64(f.Size)
	if w.guard(f) {
		size += uint64(len(check))
	}
	return size + uint64(f.Bulk)*uint64(len(check))
}

func (w *rewriter) function(f *Function) {
	w.number(w.size(f))
	w.out = append(w.out, w.b[f.body:f.code]...)
	if w.guard(f) {
		w.out = append(w.out, check...)
	}
	from := f.code
	for range f.Bulk {
		at := w.bulk[0]
		w.bulk = w.bulk[1:]
		w.out = append(w.out, w.b[from:at]...)
		w.out = append(w.out, check...)
		from = at
	}
	w.out = append(w.out, w.b[from:f.body+f.Size]...)
}

// names writes what engines show of the names.
func (w *rewriter) names() {
	if len(w.m.names) == 0 || len(w.m.names) > keptNames {
		return
	}
	const name = "\x04name"
	w.section(customSection, len(name)+len(w.m.names))
	w.out = append(w.out, name...)
	w.out = append(w.out, w.m.names...)
}

func uvarintLen(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}
