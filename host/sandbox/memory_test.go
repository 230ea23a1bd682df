package sandbox_test

import (
	"context"
	"errors"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// inMemory is one workspace whose documents are in memory: what is measured beside it is
// the sandbox alone.
type inMemory map[string]string

func (w inMemory) Root(context.Context, string) (sandbox.Root, error) {
	open := func(context.Context, workspace.ViewOptions) (sandbox.Documents, error) { return w, nil }
	return sandbox.Root{Key: "memory", Path: "/memory", URI: "file:///memory", Open: open}, nil
}

func (w inMemory) Mount(context.Context, string) (*workspace.Folder, error) {
	return nil, errors.New("there are no folders in memory")
}

func (w inMemory) Find(_ context.Context, path string) (workspace.Document, error) {
	if _, ok := w[path]; !ok {
		return workspace.Document{}, seam.Errorf(seam.CodeSourceRejected, "%q is not there", path).WithReason(seam.ReasonMissing)
	}
	return workspace.Document{Path: path, URI: "file:///memory/" + path, Name: path}, nil
}

func (w inMemory) Read(_ context.Context, path string) (workspace.Source, error) {
	return workspace.Source{Path: path, URI: "file:///memory/" + path, Text: w[path]}, nil
}

func (w inMemory) Close() {}
