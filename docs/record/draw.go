package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// take is a command and what it printed.
type take struct{ command, output string }

// Measures of the picture.
const (
	maxBytes = 40_000
	columns  = 110 // of a line; a longer one is cut
	rows     = 12  // of an answer; what is left out is counted
	charPx   = 7.8 // wide, at 13 px
	linePx   = 19
	edgePx   = 16
	pauseMs  = 1500 // between two answers
)

// The text is text, so that it can be selected, and its colours are those of the reader. What
// does not animate shows everything.
const style = `
svg { color-scheme: light dark; }
.paper { fill: #f6f8fa; stroke: #d0d7de; }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #1f2328; }
.prompt, .more { fill: #6e7781; }
.command { fill: #0550ae; font-weight: 600; }
.take { animation: appear 1ms both; }
@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .take { animation: none; } }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117; stroke: #30363d; }
  text { fill: #e6edf3; }
  .prompt, .more { fill: #8d96a0; }
  .command { fill: #79c0ff; }
}
`

// draw makes an SVG in which one take after the other appears.
func draw(takes []take) []byte {
	var body bytes.Buffer
	y := edgePx
	for i, t := range takes {
		fmt.Fprintf(&body, "<g class=\"take\" style=\"animation-delay: %dms\">\n", i*pauseMs)
		y += linePx
		fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\"><tspan class=\"prompt\">$ </tspan><tspan class=\"command\">%s</tspan></text>\n",
			edgePx, y, escaped(t.command))
		for _, line := range shown(t.output) {
			y += linePx
			if line.text == "" {
				continue
			}
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", edgePx, y, line.class, escaped(line.text))
		}
		y += linePx / 2
		body.WriteString("</g>\n")
	}
	width, height := int(columns*charPx)+2*edgePx, y+edgePx

	var all bytes.Buffer
	fmt.Fprintf(&all, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"title\">\n",
		width, height, width, height)
	all.WriteString("<title id=\"title\">navseam answers questions about its own source in a terminal</title>\n")
	fmt.Fprintf(&all, "<style>%s</style>\n", style)
	fmt.Fprintf(&all, "<rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width-1, height-1)
	all.Write(body.Bytes())
	all.WriteString("</svg>\n")
	return all.Bytes()
}

// shownLine is a line of an answer as it is drawn.
type shownLine struct{ text, class string }

// shown are the lines of an answer that there is room for. Of a longer one they are the first,
// how many are left out, and the last, which has the totals.
func shown(output string) []shownLine {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	if len(lines) <= rows {
		return fitted(lines)
	}
	drawn := fitted(lines[:rows-2])
	drawn = append(drawn, shownLine{fmt.Sprintf("(%d more lines)", len(lines)-(rows-1)), ` class="more"`})
	return append(drawn, fitted(lines[len(lines)-1:])...)
}

// fitted are lines as wide as the picture.
func fitted(lines []string) []shownLine {
	drawn := make([]shownLine, 0, rows)
	for _, line := range lines {
		text := []rune(strings.ReplaceAll(line, "\t", "    "))
		if len(text) > columns {
			text = append(text[:columns-1], '…')
		}
		drawn = append(drawn, shownLine{text: string(text)})
	}
	return drawn
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
