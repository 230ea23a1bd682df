package wasm

import "bytes"

// The parts of the section "name" that engines show in traps.
const (
	moduleName    = 0
	functionNames = 1
)

// usableNames copies the names of the module and its functions out of a section "name".
// Engines read it without the care that they take elsewhere (wazero allocates whatever the
// section claims to have), while the format wants a bad one ignored: it is left out.
func usableNames(b []byte) []byte {
	c := cursor{b: b, end: len(b)}
	var kept []byte
	for last := -1; c.pos < c.end; {
		start := c.pos
		id := c.byte("the code of a subsection")
		size := c.u32("the size of a subsection")
		payload := c.pos
		c.skip(size, "a subsection")
		if !c.ok() || int(id) <= last {
			return nil
		}
		last = int(id)
		if id > functionNames {
			break
		}
		if !nameMap(cursor{b: b, pos: payload, end: c.pos}, id == functionNames) {
			return nil
		}
		kept = append(kept, bytes.Clone(b[start:c.pos])...)
	}
	return kept
}

// nameMap checks one name, or a map of indices to names.
func nameMap(c cursor, indexed bool) bool {
	n := 1
	if indexed {
		n = c.count("names", 2)
	}
	for i := 0; i < n && c.ok(); i++ {
		if indexed {
			c.u32("an index")
		}
		c.name("a name")
	}
	return c.ok() && c.pos == c.end
}
