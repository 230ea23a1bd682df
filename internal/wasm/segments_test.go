package wasm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/wasm"
)

// Active segments are placed before any code runs, and one that does not fit is a trap.
func TestSegmentsThatDoNotFit(t *testing.T) {
	memory := section(5, 1, 0, 1)          // one page
	table := section(4, 1, 0x70, 0, 3)     // three functions
	elements := func(offset byte) []byte { // two null functions, from offset on
		return section(9, 1, 4, 0x41, offset, 0x0b, 2, 0xd0, 0x70, 0x0b, 0xd0, 0x70, 0x0b)
	}
	data := func(offset ...byte) []byte { // two bytes
		return section(11, append(append([]byte{1, 0, 0x41}, offset...), 0x0b, 2, 'a', 'b')...)
	}
	tests := map[string]struct {
		module []byte
		want   string
	}{
		"elements at the end":      {module(table, elements(1)), ""},
		"elements beyond the end":  {module(table, elements(2)), "element segment 0 ends at 4, outside of the 3 that there are"},
		"elements at minus one":    {module(table, elements(0x7f)), "element segment 0 ends at 4294967297, outside of the 3 that there are"},
		"data at the end":          {module(memory, data(0xfe, 0xff, 0x03)), ""},
		"data beyond the end":      {module(memory, data(0xff, 0xff, 0x03)), "data segment 0 ends at 65537, outside of the 65536 that there are"},
		"data far beyond the end":  {module(memory, data(0x7e)), "data segment 0 ends at 4294967296, outside of the 65536 that there are"},
		"passive data fit nowhere": {module(memory, section(11, 1, 1, 2, 'a', 'b')), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := wasm.Read(test.module)
			require.NoError(t, err)
			require.Equal(t, test.want, m.Misplaced)
		})
	}
}
