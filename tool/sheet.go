package tool

import (
	"strings"
	"unicode/utf8"

	"github.com/navseam/navseam/seam"
)

// sheet is a text of whole lines within a limit, which ends in a footer. Lines may be
// written for as long as the shorter footer of an answer that is all there would fit; when
// it is not all there, the lines that leave no room for the longer one go again.
type sheet struct {
	text    strings.Builder
	units   int // of the text, in UTF-16
	limit   int
	whole   int // the footer of what is all there
	cut     int // the longest footer of what is not
	kept    mark
	written int // lines that count
}

// mark is how far a text goes that leaves room for any footer.
type mark struct{ bytes, written int }

func newSheet(limit int, whole, cut string) *sheet {
	return &sheet{limit: limit, whole: seam.UTF16Len(whole), cut: seam.UTF16Len(cut)}
}

// head writes a line that does not count, if there is room for it beside any footer.
func (s *sheet) head(line string) {
	if line != "" && s.units+seam.UTF16Len(line)+1+s.cut <= s.limit {
		s.write(line)
		s.kept.bytes = s.text.Len()
	}
}

// add writes text that stands for so many of what is counted, and reports whether it fits.
func (s *sheet) add(text string, count int) bool {
	if s.units+seam.UTF16Len(text)+1+s.whole > s.limit {
		return false
	}
	s.write(text)
	s.written += count
	if s.units+s.cut <= s.limit {
		s.kept = mark{s.text.Len(), s.written}
	}
	return true
}

func (s *sheet) write(text string) {
	s.text.WriteString(text)
	s.text.WriteByte('\n')
	s.units += seam.UTF16Len(text) + 1
}

// shorten takes back the lines that leave no room for the longer footer.
func (s *sheet) shorten() { s.written = s.kept.written }

// end is the text with the footer of what is all there.
func (s *sheet) end(footer string) string { return s.text.String() + footer }

// endCut is the text, shortened, with a footer or, where there is no room for it, the short
// one. Where that has none either, the limit is of no use.
func (s *sheet) endCut(footer, short string) string {
	text := s.text.String()[:s.kept.bytes]
	room := s.limit - seam.UTF16Len(text)
	if seam.UTF16Len(footer) <= room {
		return text + footer
	}
	return text + firstUnits(short, room)
}

// firstUnits is as much of a text as has room, in whole characters.
func firstUnits(text string, room int) string {
	units := 0
	for i, r := range text {
		width := utf8.RuneLen(r) / 4 // 1 for what takes a surrogate pair
		if units += 1 + width; units > room {
			return text[:i]
		}
	}
	return text
}
