package tool

import (
	"strconv"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Place is a place in a file as people write it, FILE:LINE:COLUMN: both numbers from one,
// the column in UTF-16 units. Column is 0 when only FILE:LINE was written.
type Place struct {
	File   string
	Line   int
	Column int
}

// placeForm ends every complaint about a place.
const placeForm = "write FILE:LINE:COLUMN, counted from 1, such as main.go:12:5"

// ParsePlace reads FILE:LINE:COLUMN or FILE:LINE. The numbers are what stands after the
// last colons, so that a file may have colons in its name, as C:\main.go has.
func ParsePlace(text string) (Place, error) {
	file, last, found := cutLast(text)
	if !found || !isNumber(last) {
		return Place{}, noNumber(text, file, last)
	}
	place := Place{File: file}
	numbers := []string{last}
	if before, line, found := cutLast(file); found && isNumber(line) {
		place.File, numbers = before, []string{line, last}
	}
	if strings.TrimSpace(place.File) == "" {
		return Place{}, seam.Errorf(seam.CodeInvalidArgs, "%q names no file: %s", text, placeForm)
	}
	for i, into := range []*int{&place.Line, &place.Column}[:len(numbers)] {
		name := [...]string{"line", "column"}[i]
		n, err := strconv.Atoi(numbers[i])
		switch {
		case n < 1: // also when it is too small for an int
			return Place{}, seam.Errorf(seam.CodeInvalidArgs, "%s %s of %q is too small: lines and columns are counted from 1", name, numbers[i], text)
		case err != nil || n > seam.MaxCoordinate:
			return Place{}, seam.Errorf(seam.CodeInvalidArgs, "%s %s of %q is too large: the largest is %d", name, numbers[i], text, seam.MaxCoordinate)
		}
		*into = n
	}
	return place, nil
}

// Position is the place inside its file. The column has to be known.
func (p Place) Position() (seam.Position, error) {
	return seam.FromOneBased(p.Line, p.Column)
}

// cutLast cuts at the last colon. Without one, all of the text is before it.
func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// isNumber reports whether text is meant as a whole number. A negative one is, and is
// refused with a better reason than that it is none.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// noNumber says which of the numbers is missing at the end of a place.
func noNumber(text, file, last string) error {
	_, line, found := cutLast(file)
	switch {
	case found && isNumber(line):
		return seam.Errorf(seam.CodeInvalidArgs, "the column %q of %q is no whole number: %s", last, text, placeForm)
	case last == "" || strings.ContainsAny(last, `/\.`): // the colon belongs to the file, if there is one
		return seam.Errorf(seam.CodeInvalidArgs, "%q has no line: %s", text, placeForm)
	default:
		return seam.Errorf(seam.CodeInvalidArgs, "the line %q of %q is no whole number: %s", last, text, placeForm)
	}
}
