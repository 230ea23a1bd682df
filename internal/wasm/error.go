package wasm

import "fmt"

// FormatError says where a file departs from the binary format, and how.
type FormatError struct {
	Section string // such as "code section"; empty outside of sections
	Offset  int    // in the file
	Problem string
}

func (e *FormatError) Error() string {
	where := ""
	if e.Section != "" {
		where = e.Section + ", "
	}
	return fmt.Sprintf("%soffset %#x: %s", where, e.Offset, e.Problem)
}
