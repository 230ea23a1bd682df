package sandbox

import (
	"fmt"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// answer is what a module hands over in one call. It is judged as it comes in: nothing
// that breaks the rules is kept, however much of it there is.
type answer struct {
	records    records
	items      []seam.Location // of records, once all are there
	hover      string
	hoverRange *record // judged at the end: without a text it does not count
	incomplete bool
	wrong      string // the first thing that no answer may say
}

func (a *answer) wrongf(format string, args ...any) {
	if a.wrong == "" {
		a.wrong = shorten(fmt.Sprintf(format, args...), maxMessageBytes)
	}
}

// cut shortens a hover text to the limit of an answer.
func (a *answer) cut(l *Limits, text []byte) []byte {
	if len(text) <= l.ResponseBytes {
		return text
	}
	a.incomplete = true
	end := l.ResponseBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// judgeHover judges the range of a hover, if there is a text that it is about.
func (a *answer) judgeHover() {
	if a.hover != "" && a.hoverRange != nil && !a.hoverRange.valid() {
		a.wrongf("the range of the hover ends before it begins, or has a coordinate above %d", seam.MaxCoordinate)
	}
}

func (a *answer) completeness(vouched bool) seam.Completeness {
	switch {
	case a.incomplete || a.records.full:
		return seam.Incomplete
	case vouched:
		return seam.Complete
	default:
		return seam.Unknown
	}
}

func (a *answer) hoverResult(vouched bool) seam.HoverResult {
	result := seam.HoverResult{Completeness: a.completeness(vouched)}
	if a.hover == "" {
		return result
	}
	result.Hover = &seam.Hover{Contents: a.hover}
	if a.hoverRange != nil {
		span := a.hoverRange.span()
		result.Hover.Range = &span
	}
	return result
}
