package seam

import "context"

// Provider answers the four operations for the files that its routes name.
//
// Every method honours ctx: it returns at the deadline at the latest. Failures
// are [*Error] values. A method is safe to call from several goroutines.
type Provider interface {
	// ID names the provider. It is not blank and does not change.
	ID() string
	// Routes says which files the provider serves. It is read once, at registration.
	Routes() Routes

	GoToDefinition(ctx context.Context, t Target) (Locations, error)
	FindReferences(ctx context.Context, t Target) (Locations, error)
	GoToImplementation(ctx context.Context, t Target) (Locations, error)
	Hover(ctx context.Context, t Target) (HoverResult, error)
}

// Target is the place that a provider is asked about. Every field is required.
type Target struct {
	FilePath      string // absolute, or relative to the workspace root
	Position      Position
	WorkspaceRoot string // folder, not necessarily canonical
	LanguageID    string // from the provider's own routes
}

// Ask calls the method of p that answers op.
func Ask(ctx context.Context, p Provider, op Operation, t Target) (Result, error) {
	switch op {
	case OpGoToDefinition:
		return locations(p.GoToDefinition(ctx, t))
	case OpFindReferences:
		return locations(p.FindReferences(ctx, t))
	case OpGoToImplementation:
		return locations(p.GoToImplementation(ctx, t))
	case OpHover:
		h, err := p.Hover(ctx, t)
		if err != nil {
			return nil, err
		}
		return h, nil
	}
	return nil, Errorf(CodeInvalidArgs, "operation %d is none of the four", op)
}

// locations keeps a failed answer from becoming a Result.
func locations(l Locations, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}
