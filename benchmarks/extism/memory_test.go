package extism_test

import (
	"context"
	"errors"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/workspace"
)

// oneDocument is a workspace in memory.
type oneDocument struct{}

func (d oneDocument) Root(context.Context, string) (sandbox.Root, error) {
	open := func(context.Context, workspace.ViewOptions) (sandbox.Documents, error) { return d, nil }
	return sandbox.Root{Key: "memory", Path: "/workspace", URI: "file:///workspace", Open: open}, nil
}

func (oneDocument) Mount(context.Context, string) (*workspace.Folder, error) {
	return nil, errors.New("there are no folders in memory")
}

func (oneDocument) Find(context.Context, string) (workspace.Document, error) {
	return workspace.Document{Path: "/workspace/a.toy", URI: "file:///workspace/a.toy", Name: "a.toy"}, nil
}

func (oneDocument) Read(context.Context, string) (workspace.Source, error) {
	return workspace.Source{Path: "/workspace/a.toy", URI: "file:///workspace/a.toy", Text: "area\n"}, nil
}

func (oneDocument) Close() {}
