package seam

import "math"

// MaxCoordinate is the largest line or character: 2^31-1, the bound of the
// Language Server Protocol's integers.
const MaxCoordinate = math.MaxInt32

// Position is a place in a text: a line and a character, both counted from
// zero, the character in UTF-16 code units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Before reports whether p stands before q.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// OneBased returns the coordinates that people and models read: both counted
// from one, the character still in UTF-16 code units.
func (p Position) OneBased() (line, character int) { return p.Line + 1, p.Character + 1 }

// FromOneBased is the inverse of [Position.OneBased].
func FromOneBased(line, character int) (Position, error) {
	if line < 1 || character < 1 {
		return Position{}, Errorf(CodeInvalidArgs,
			"line %d, character %d: both are counted from 1", line, character)
	}
	if line > MaxCoordinate || character > MaxCoordinate {
		return Position{}, Errorf(CodeInvalidArgs,
			"line %d, character %d: the largest coordinate is %d", line, character, MaxCoordinate)
	}
	return Position{Line: line - 1, Character: character - 1}, nil
}

// Range is the half-open stretch of text from Start up to but not including End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range in a document. The URI is the provider's text, unchanged,
// of any scheme.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}
