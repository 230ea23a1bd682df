package engine

import (
	"errors"
	"fmt"
	"strings"
)

// wazeroTrapKind goes by the text of the innermost error: wazero's own error values are
// internal to it. There is a test for each.
func wazeroTrapKind(err error) (kind string, known bool) {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	switch err.Error() {
	case "unreachable":
		return TrapUnreachable, true
	case "out of bounds memory access":
		return TrapMemory, true
	case "invalid table access":
		return TrapTable, true
	case "integer divide by zero":
		return TrapDivideByZero, true
	case "integer overflow":
		return TrapOverflow, true
	case "invalid conversion to integer":
		return TrapConversion, true
	case "indirect call type mismatch":
		return TrapIndirectCall, true
	case "stack overflow":
		return TrapStackOverflow, true
	default:
		return TrapOther, false
	}
}

func wazeroCallError(err error) error {
	kind, _ := wazeroTrapKind(err)
	return &Trap{kind, err.Error()}
}

// wazeroInstantiateError tells a trap from a module that does not fit its imports. The
// former is also a data segment that does not fit into memory.
func wazeroInstantiateError(err error) error {
	if kind, known := wazeroTrapKind(err); known {
		return &Trap{kind, err.Error()}
	}
	if strings.HasSuffix(err.Error(), "]: out of bounds memory access") {
		return &Trap{TrapMemory, err.Error()}
	}
	return fmt.Errorf("instantiate: %w", err)
}
