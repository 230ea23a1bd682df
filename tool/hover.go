package tool

import (
	"fmt"
	"strings"

	"github.com/navseam/navseam/seam"
)

// hover is the text of a hover, and of its contents the part that the text shows.
func (r renderer) hover(answer seam.HoverResult) (text, shown string) {
	contents, note := answer.Hover.Contents, noteOf(answer.Completeness)
	text = joined(r.head, Escape(contents), note)
	if seam.UTF16Len(text) <= r.config.MaxResultChars {
		return text, contents
	}
	longest := hoverFooter(contents, contents, note)
	room := r.config.MaxResultChars - seam.UTF16Len(joined(r.head, fence, longest)) - len("…\n\n")
	if room < 0 {
		footer := fmt.Sprintf("0 of %d characters shown.", seam.UTF16Len(contents))
		return firstUnits(footer, r.config.MaxResultChars), ""
	}
	shown = firstLines(contents, room)
	return joined(r.head, closed(Escape(shown)), hoverFooter(shown, contents, note)), shown
}

func hoverFooter(shown, contents, note string) string {
	text := fmt.Sprintf("%d of %d characters shown (limit %s).", seam.UTF16Len(shown), seam.UTF16Len(contents), limitChars)
	return strings.TrimSpace(text + " " + note)
}

// firstLines is as many whole lines of a text as have room when they are escaped. Of one
// endless line it is a part: that says more than nothing.
func firstLines(text string, room int) string {
	end := 0
	for line := range strings.Lines(text) {
		units := seam.UTF16Len(Escape(line))
		if units > room && end > 0 {
			break
		}
		if units > room {
			part := firstUnits(line, room)
			for most := room / 2; seam.UTF16Len(Escape(part)) > room; most /= 2 {
				part = firstUnits(line, most) // what is escaped takes more room
			}
			return part
		}
		room -= units
		end += len(line)
	}
	return text[:end]
}

// fence begins and ends code in markdown.
const fence = "```"

// closed ends the code that a cut text may be in, so that what follows is not a part of it,
// and marks a line that was cut.
func closed(text string) string {
	open := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), fence) {
			open = !open
		}
	}
	if !strings.HasSuffix(text, "\n") {
		text += "…\n"
	}
	if open {
		text += fence
	}
	return text
}

// joined are the parts that are not empty, each on lines of its own.
func joined(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part == "" {
			continue
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.String()
}
