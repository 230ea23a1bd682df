package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/navseam/navseam/seam"
)

// isBlank reports whether a hover shows nothing.
func isBlank(hover *seam.Hover) bool {
	return hover == nil || strings.TrimSpace(hover.Contents) == ""
}

// nothing is the text of an empty answer. It says which kind of empty it is: off a symbol,
// nothing known of the symbol, or not all looked at yet.
func (r renderer) nothing(ctx context.Context, found Finding, completeness seam.Completeness) string {
	said := "No results."
	if found.question.Operation == seam.OpHover {
		said = "No hover information."
	}
	text := joined(r.head, said)
	for _, more := range []string{unfinished(completeness), r.why(ctx, found)} {
		if longer := text + " " + more; more != "" && seam.UTF16Len(longer) <= r.config.MaxResultChars {
			text = longer
		}
	}
	return firstUnits(text, r.config.MaxResultChars)
}

func unfinished(completeness seam.Completeness) string {
	if completeness != seam.Incomplete {
		return ""
	}
	return "This is no evidence that there is nothing. " + incompleteNote
}

func (r renderer) why(ctx context.Context, found Finding) string {
	text := found.source.text
	if text == nil && r.sources.view != nil {
		text = r.sources.view.textOf(ctx, found.question.File)
	}
	meant, ok := meantBy(text, found.position)
	switch {
	case r.head != "":
		return meaning(found.question.Operation)
	case ok:
		return meant + " " + meaning(found.question.Operation)
	default:
		return meant
	}
}

// meantBy says which name a position is on, or which ones there are on that line. It is
// empty where there is no such line, or no text.
func meantBy(text *seam.Text, at seam.Position) (meant string, ok bool) {
	if text == nil {
		return "", false
	}
	line, ok := text.Line(at.Line)
	if !ok {
		return "", false
	}
	number, character := at.OneBased()
	name, ok := identifierAt(line, at.Character)
	if !ok {
		return fmt.Sprintf("Line %d, character %d is not on a symbol. %s", number, character, namesOn(number, line)), false
	}
	return fmt.Sprintf("%s at line %d, character %d is meant.", shortName(name.name), number, name.start+1), true
}

// meaning is what it means that there is nothing, where the place is on a name.
func meaning(operation seam.Operation) string {
	return [seam.OperationCount]string{
		seam.OpGoToDefinition:     "No definition is known. It may be a keyword, a part of a comment or text, or in code that is not installed.",
		seam.OpFindReferences:     "No place that uses it is known, not even its declaration. It may be a keyword, or a part of a comment or text.",
		seam.OpGoToImplementation: "Nothing implements it as far as is known. That is usual for what is not abstract: goToDefinition leads to its code.",
		seam.OpHover:              "Nothing is known of it. It may be a keyword, or a part of a comment or text.",
	}[operation]
}
