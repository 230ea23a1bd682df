package tool

import "github.com/navseam/navseam/seam"

// Question is what is asked: about the symbol at a place. At least one of Character and
// Symbol says where on the line.
type Question struct {
	Operation seam.Operation
	File      string // absolute, or relative to the workspace
	Line      int    // one-based
	Character int    // one-based, in UTF-16 units; 0: Symbol says it
	Symbol    string // the name as it stands there; "": Character says it
}
