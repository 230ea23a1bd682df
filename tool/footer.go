package tool

import "fmt"

// The config keys of the limits of an answer.
const (
	limitLocations = "tool.maxLocations"
	limitChars     = "tool.maxResultChars"
	limitTimeout   = "tool.timeoutMs"
)

// footer ends an answer with locations and says how many there are.
type footer struct {
	total, totalFiles int
	shown, shownFiles int
	limit             string // that cut the answer
	note              string
}

// whole is of an answer that is all there.
func (f footer) whole() string {
	return f.noted(fmt.Sprintf("%s in %s.", counted(f.total, "location"), counted(f.totalFiles, "file")))
}

// part is of one that is not.
func (f footer) part() string {
	return f.noted(fmt.Sprintf("%d of %s shown, in %d of %s (limit %s). For the rest, search for the name as text, or ask about a symbol that is used less.",
		f.shown, counted(f.total, "location"), f.shownFiles, counted(f.totalFiles, "file"), f.limit))
}

// longest is as long as any.
func (f footer) longest() string {
	f.shown, f.shownFiles, f.limit = f.total, f.totalFiles, limitChars
	return f.part()
}

// short is for where there is little room.
func (f footer) short() string { return fmt.Sprintf("%d of %d shown.", f.shown, f.total) }

func (f footer) noted(text string) string {
	if f.note == "" {
		return text
	}
	return text + " " + f.note
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
