package tool

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// identifier is a name on a line.
type identifier struct {
	name  string
	start int // its character, from 0, in UTF-16 units
	end   int
}

// maxIdentifiers bounds how many names of a line a message has.
const maxIdentifiers = 20

// identifiers yields the names on a line, in any language: what looks like one.
func identifiers(line string) func(yield func(identifier) bool) {
	return func(yield func(identifier) bool) {
		units := 0 // before what is looked at
		for i := 0; i < len(line); {
			size := nameLength(line[i:])
			if size == 0 {
				_, size = utf8.DecodeRuneInString(line[i:])
				units += seam.UTF16Len(line[i : i+size])
				i += size
				continue
			}
			found := identifier{line[i : i+size], units, units + seam.UTF16Len(line[i:i+size])}
			first, _ := utf8.DecodeRuneInString(found.name)
			if !unicode.IsDigit(first) && !yield(found) { // a number is none
				return
			}
			units = found.end
			i += size
		}
	}
}

func nameLength(text string) int {
	for i, r := range text {
		if !inName(r) {
			return i
		}
	}
	return len(text)
}

// identifierAt is the name at a character. Right behind a name is still at it.
func identifierAt(line string, character int) (identifier, bool) {
	var last identifier
	ok := false
	for found := range identifiers(line) {
		if found.start > character {
			break
		}
		if character <= found.end {
			last, ok = found, true
		}
	}
	return last, ok
}

// namesOn lists the names of a line, counted from 1, with their characters.
func namesOn(line int, text string) string {
	var list []string
	more := 0
	for found := range identifiers(text) {
		if len(list) == maxIdentifiers {
			more++
			continue
		}
		list = append(list, fmt.Sprintf("%s at %d", shortName(found.name), found.start+1))
	}
	switch {
	case len(list) == 0:
		return fmt.Sprintf("Line %d has no names.", line)
	case more > 0:
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("The names on line %d, with their characters: %s.", line, strings.Join(list, ", "))
}

func shortName(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return beginning(name) + "…"
}
