package mcp

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// The headers by which a client of a shared server names its workspace, as a path with
// percent-escapes.
const (
	workspaceHeader = "Navseam-Workspace" // this one
	folderHeader    = "Navseam-Folder"    // this one, unless the client has roots
)

// workspaces are the folders that may be the workspace of a call, best first. Instead of
// them there may be a result that ends the call.
func (s *Server) workspaces(ctx context.Context, request *sdk.CallToolRequest) ([]string, *sdk.CallToolResult) {
	if named := s.options.Folders.Named; len(named) > 0 {
		return named, nil
	}
	named, err := folderOf(request, workspaceHeader)
	if err != nil {
		return nil, result(tool.Failure(err))
	}
	if len(named) > 0 {
		return named, nil
	}
	if folders, ask := s.clientRoots(ctx, request); len(folders) > 0 || ask != nil {
		return folders, ask
	}
	given, err := folderOf(request, folderHeader)
	if err != nil {
		return nil, result(tool.Failure(err))
	}
	return append(given, s.options.Folders.Fallback...), nil
}

// folderOf reads a header that names a folder.
func folderOf(request *sdk.CallToolRequest, name string) ([]string, error) {
	if request.Extra == nil {
		return nil, nil
	}
	value := request.Extra.Header.Get(name)
	if value == "" {
		return nil, nil
	}
	path, err := url.PathUnescape(value)
	if err != nil || !filepath.IsAbs(path) {
		return nil, seam.Errorf(seam.CodeWorkspaceRequired,
			"the header %s is %q: it must be an absolute path, with %%-escapes for what is not ASCII", name, value)
	}
	return []string{path}, nil
}

// name puts the folders of this process into the headers of its requests.
func (f Folders) name(header http.Header) {
	if len(f.Named) > 0 {
		header.Set(workspaceHeader, url.PathEscape(f.Named[0]))
	}
	if len(f.Fallback) > 0 {
		header.Set(folderHeader, url.PathEscape(f.Fallback[0]))
	}
}
