package tool

import (
	"context"
	"errors"

	"github.com/navseam/navseam/seam"
)

// taught adds to a failure what the place is on, where that may be the cause: a position
// that the text does not have, or an error of the server's own, which is how some say that
// there is no symbol. Mostly the column was miscounted.
func (s *state) taught(ctx context.Context, found Finding, err error) error {
	var own *seam.ServerError
	outside := seam.CodeOf(err) == seam.CodeInvalidArgs
	if !outside && !errors.As(err, &own) {
		return err
	}
	more := found.head
	if more == "" {
		more = s.place(ctx, found, outside)
	}
	if more == "" {
		return err
	}
	failure := *seam.AsError(err)
	failure.Message += ". " + more
	return &failure
}

// place says what is on the line that was asked about.
func (s *state) place(ctx context.Context, found Finding, outside bool) string {
	ctx, cancel := context.WithTimeout(ctx, readingTime)
	defer cancel()
	view, release, err := s.views.use(ctx, found.root)
	if err != nil {
		return ""
	}
	defer release()
	text := view.textOf(ctx, found.question.File)
	if text == nil {
		return ""
	}
	if !outside {
		meant, _ := meantBy(text, found.position)
		return meant
	}
	line, ok := text.Line(found.position.Line)
	if !ok {
		return ""
	}
	return namesOn(found.question.Line, line)
}
