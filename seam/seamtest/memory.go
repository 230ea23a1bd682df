package seamtest

import (
	"context"
	"path"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Memory is a provider over files that it holds in memory. It answers what it was
// told to answer, under the rules that every provider keeps.
type Memory struct {
	Name         string
	Served       seam.Routes
	Root         string            // the only workspace, such as "/shop"
	Files        map[string]string // text by path relative to Root
	Answers      map[Question]seam.Result
	Unsupported  map[seam.Operation]bool
	WorkspaceURI string
}

// Question is what a Memory looks its answers up by.
type Question struct {
	Operation seam.Operation
	FilePath  string // relative to the root
	Position  seam.Position
}

var _ seam.Provider = (*Memory)(nil)

// ID returns the name.
func (m *Memory) ID() string { return m.Name }

// Routes returns the served routes.
func (m *Memory) Routes() seam.Routes { return m.Served }

// GoToDefinition answers from the table.
func (m *Memory) GoToDefinition(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return m.locations(ctx, seam.OpGoToDefinition, t)
}

// FindReferences answers from the table.
func (m *Memory) FindReferences(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return m.locations(ctx, seam.OpFindReferences, t)
}

// GoToImplementation answers from the table.
func (m *Memory) GoToImplementation(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return m.locations(ctx, seam.OpGoToImplementation, t)
}

// Hover answers from the table.
func (m *Memory) Hover(ctx context.Context, t seam.Target) (seam.HoverResult, error) {
	result, err := m.ask(ctx, seam.OpHover, t)
	if err != nil {
		return seam.HoverResult{}, err
	}
	hover, _ := result.(seam.HoverResult)
	return hover, nil
}

func (m *Memory) locations(ctx context.Context, op seam.Operation, t seam.Target) (seam.Locations, error) {
	result, err := m.ask(ctx, op, t)
	if err != nil {
		return seam.Locations{}, err
	}
	found, _ := result.(seam.Locations)
	found.WorkspaceURI = m.WorkspaceURI
	return found, nil
}

// ask checks in the order in which every provider reports: context, workspace,
// source, operation, position.
func (m *Memory) ask(ctx context.Context, op seam.Operation, t seam.Target) (seam.Result, error) {
	if err := seam.ContextError(ctx); err != nil {
		return nil, err
	}
	if t.WorkspaceRoot != m.Root {
		return nil, seam.Errorf(seam.CodeWorkspaceRequired, "workspace %q does not exist", t.WorkspaceRoot).WithReason(seam.ReasonMissing)
	}
	full := t.FilePath
	if !path.IsAbs(full) {
		full = path.Join(m.Root, full)
	}
	name, inside := strings.CutPrefix(path.Clean(full), m.Root+"/")
	if !inside {
		return nil, seam.Errorf(seam.CodeSourceRejected, "%q is outside the workspace", t.FilePath).WithReason(seam.ReasonOutside)
	}
	text, exists := m.Files[name]
	if !exists {
		return nil, seam.Errorf(seam.CodeSourceRejected, "%q does not exist", t.FilePath).WithReason(seam.ReasonMissing)
	}
	if m.Unsupported[op] {
		return nil, seam.Errorf(seam.CodeUnsupportedOperation, "provider %q does not support %s", m.Name, op)
	}
	if err := seam.CheckPosition(text, t.Position); err != nil {
		return nil, err
	}
	return m.Answers[Question{op, name, t.Position}], nil
}
