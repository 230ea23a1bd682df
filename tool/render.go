package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/navseam/navseam/seam"
)

// incompleteNote ends an answer that is not the whole truth.
const incompleteNote = "Incomplete: the server is still reading the workspace, or left something out. What is missing here may exist all the same: ask again in a few seconds."

// renderer makes the text of one answer of locations.
type renderer struct {
	config  Config
	sources *sources
	head    string // which symbol was asked about, or ""
}

// locations is the text of an answer that has any, what of it the text shows, and how many
// there are.
func (r renderer) locations(ctx context.Context, answer seam.Locations) (string, []seam.Location, int) {
	l := listOf(answer, r.config.MaxLocations)
	// Of files that have no room to be named, nothing is looked up.
	l.files = l.files[:min(len(l.files), r.config.MaxResultChars/len(":1:1\n")+1)]
	r.sources.label(ctx, l.files)

	f := footer{total: l.total, totalFiles: l.totalFiles, note: noteOf(answer.Completeness)}
	s := newSheet(r.config.MaxResultChars, f.whole(), f.longest())
	s.head(r.head)
	all := r.write(ctx, s, l.files) && l.kept == l.total
	if !all {
		s.shorten()
	}
	items, files := firstItems(l.files, s.written)
	r.sources.allow(ctx, files)
	if all {
		return s.end(f.whole()), items, l.total
	}
	f.shown, f.shownFiles = s.written, len(files)
	f.limit = limitChars
	if s.written == l.kept {
		f.limit = limitLocations
	}
	return s.endCut(f.part(), f.short()), items, l.total
}

// write lays the files out until one has no room.
func (r renderer) write(ctx context.Context, s *sheet, files []listedFile) bool {
	for i := range files {
		write := r.lines
		if r.config.Format == FormatGrouped {
			write = r.group
		}
		if !write(ctx, s, &files[i]) {
			return false
		}
	}
	return true
}

// lines writes a line for each location. The file is read when the first one is written.
func (r renderer) lines(ctx context.Context, s *sheet, file *listedFile) bool {
	var text *seam.Text
	for i, item := range file.items {
		if i == 0 && r.config.Snippets && s.units < s.limit {
			text = r.sources.text(ctx, *file)
		}
		line, character := item.Range.Start.OneBased()
		shown := fmt.Sprintf("%s:%d:%d%s", file.path, line, character, file.label)
		if snippet := snippetOf(text, item.Range.Start); snippet != "" {
			shown += ": " + snippet
		}
		if !s.add(shown, 1) {
			return false
		}
	}
	return true
}

// maxLine bounds the lines of which a part is shown, in bytes. On longer ones, which no
// person wrote, it would take long to find the place again and again.
const maxLine = 64 << 10

func snippetOf(text *seam.Text, at seam.Position) string {
	if text == nil {
		return ""
	}
	line, ok := text.Line(at.Line)
	if !ok || len(line) > maxLine {
		return ""
	}
	offset := 0
	if len(line) > maxExcerpt {
		offset, _ = seam.NewText(line).Offset(seam.Position{Character: at.Character}) // 0 where the file changed since
	}
	return excerpt(line, offset)
}

// groupWidth is how many places stand on a line.
const groupWidth = 12

// group writes a line with the path, and lines of places under it. The path stands with the
// first of these or not at all.
func (r renderer) group(_ context.Context, s *sheet, file *listedFile) bool {
	var b strings.Builder
	b.WriteString(file.path + file.label + "\n")
	for from := 0; from < len(file.items); from += groupWidth {
		row := file.items[from:min(from+groupWidth, len(file.items))]
		b.WriteByte(' ')
		for _, item := range row {
			line, character := item.Range.Start.OneBased()
			fmt.Fprintf(&b, " %d:%d", line, character)
		}
		if !s.add(b.String(), len(row)) {
			return false
		}
		b.Reset()
	}
	return true
}

// firstItems are the locations of a listing that are shown, and their files.
func firstItems(files []listedFile, count int) ([]seam.Location, []listedFile) {
	items := make([]seam.Location, 0, count)
	for i, file := range files {
		if len(items) == count {
			return items, files[:i]
		}
		items = append(items, file.items[:min(len(file.items), count-len(items))]...)
	}
	return items, files
}

func noteOf(c seam.Completeness) string {
	if c == seam.Incomplete {
		return incompleteNote
	}
	return ""
}
