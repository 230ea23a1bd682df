package tool

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// isAbsent reports whether an optional argument counts as left out: models write null, 0
// and "" for that.
func isAbsent(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", `""`:
		return true
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && number == 0
}

// fit says whether a value is a coordinate.
type fit int

const (
	fits fit = iota
	notWhole
	tooSmall
	tooLarge
)

// wholeNumber reads a JSON number that may be written as 12, 12.0 or 1.2e1.
func wholeNumber(raw json.RawMessage) (int, fit) {
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return 0, notWhole
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case number < 1 && number > 0, err == nil && number != math.Trunc(number):
		return 0, notWhole
	case number < 1:
		return 0, tooSmall
	case number > seam.MaxCoordinate: // also when it is infinite
		return 0, tooLarge
	}
	return int(number), fits
}

// maxShown bounds what a message repeats of what was given, in bytes.
const maxShown = 60

// short is a text in quotes, cut where it is long.
func short(text string) string {
	if len(text) <= maxShown {
		return strconv.Quote(text)
	}
	return strconv.Quote(beginning(text)) + "…"
}

// beginning is what is shown of a long text, cut between characters.
func beginning(text string) string {
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(text[end]) { // what is no UTF-8 has no start
		end--
	}
	return text[:end]
}

// given says what a JSON value is, in a few words.
func given(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		var text string
		_ = json.Unmarshal(raw, &text) // it is valid
		return "the text " + short(text)
	case 't', 'f', 'n':
		return string(raw)
	default:
		if len(raw) > maxShown {
			return "a number of " + strconv.Itoa(len(raw)) + " digits"
		}
		return strings.ToValidUTF8(string(raw), "")
	}
}
