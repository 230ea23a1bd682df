package tool

import (
	"context"

	"github.com/navseam/navseam/seam"
)

// Finding is what came of a question.
type Finding struct {
	Result seam.Result

	question Question
	root     string
	position seam.Position
	head     string // where the symbol was that was asked about, or ""
	source   source
}

// Ask asks a question about a workspace: once, however much there is to say.
func (t *Tool) Ask(ctx context.Context, root string, q Question) (Finding, error) {
	return t.state.Load().ask(ctx, t.querier, root, q)
}

// Show makes the answer of what was found.
func (t *Tool) Show(ctx context.Context, found Finding) Answer {
	return t.state.Load().show(ctx, found)
}

func (s *state) ask(ctx context.Context, querier Querier, root string, q Question) (Finding, error) {
	found := Finding{question: q, root: root}
	if err := s.aim(ctx, &found); err != nil {
		return Finding{}, err
	}
	result, err := querier.Query(ctx, seam.Request{
		Operation: q.Operation, FilePath: q.File, Position: found.position, WorkspaceRoot: root,
	})
	found.Result = result
	return found, s.taught(ctx, found, reason(ctx, err))
}

// aim finds the position that is meant.
func (s *state) aim(ctx context.Context, found *Finding) error {
	q := found.question
	if q.Symbol == "" {
		position, err := seam.FromOneBased(q.Line, q.Character)
		found.position = position
		return err
	}
	view, release, err := s.views.use(ctx, found.root)
	if err != nil {
		return err
	}
	defer release()
	read, err := view.sources.Read(ctx, q.File)
	if err != nil {
		return err
	}
	found.source = source{read.URI, seam.NewText(read.Text)}
	at, err := findSymbol(found.source.text, q.Line, q.Symbol, q.Character)
	if err != nil {
		return err
	}
	found.head = at.String()
	found.position, err = seam.FromOneBased(at.line, at.column)
	return err
}

// reason prefers why the context is done to what that led to.
func reason(ctx context.Context, err error) error {
	switch seam.CodeOf(err) {
	case seam.CodeTimeout, seam.CodeCancelled:
		if why := seam.ContextError(ctx); why != nil {
			return why
		}
	}
	return err
}

func (s *state) show(ctx context.Context, found Finding) Answer {
	ctx, cancel := context.WithTimeout(ctx, readingTime)
	defer cancel()
	meta := Meta{Operation: found.question.Operation.String()}
	view, release := s.viewFor(ctx, found)
	defer release()
	r := renderer{s.config, &sources{s.views, view, found.source, snippetBytes}, found.head}
	var text string
	switch answer := found.Result.(type) {
	case seam.Locations:
		meta.kind, meta.Completeness, meta.WorkspaceURI = kindLocations, answer.Completeness, answer.WorkspaceURI
		if len(answer.Items) == 0 {
			text = r.nothing(ctx, found, answer.Completeness)
			break
		}
		text, meta.Locations, meta.Total = r.locations(ctx, answer)
		meta.Shown = len(meta.Locations)
	case seam.HoverResult:
		meta.kind, meta.Completeness = kindHover, answer.Completeness
		if isBlank(answer.Hover) {
			text = r.nothing(ctx, found, answer.Completeness)
			break
		}
		contents := ""
		text, contents = r.hover(answer)
		meta.Hover = &seam.Hover{Contents: contents, Range: answer.Hover.Range}
		meta.Total, meta.Shown = seam.UTF16Len(answer.Hover.Contents), seam.UTF16Len(contents)
	default:
		return s.failure(found.question, seam.Errorf(seam.CodeInternal, "a bug of navseam, please report it: a query came back with %T", answer))
	}
	return Answer{Text: text, Meta: meta}
}

// viewFor is the view that an answer is read in, or nil where none is needed or to be had.
func (s *state) viewFor(ctx context.Context, found Finding) (*view, func()) {
	if answer, ok := found.Result.(seam.HoverResult); ok && (!isBlank(answer.Hover) || found.head != "") {
		return nil, func() {}
	}
	view, release, err := s.views.use(ctx, found.root)
	if err != nil {
		return nil, func() {}
	}
	return view, release
}
