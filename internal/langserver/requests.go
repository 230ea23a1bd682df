package langserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/navseam/navseam/internal/rpc"
)

// answer serves the server's own requests. Not answering blocks many servers, and an
// error for the ones that every client answers kills some: so each gets the answer of
// a client that has no user interface and changes nothing.
func (s *Server) answer(_ context.Context, method string, params json.RawMessage) (any, *rpc.Error) {
	switch method {
	case "workspace/configuration":
		return s.configuration(params)
	case "workspace/workspaceFolders":
		return s.folders(), nil
	case "client/registerCapability":
		s.registrations.register(params)
		return jsonNull, nil
	case "client/unregisterCapability":
		s.registrations.unregister(params)
		return jsonNull, nil
	case "window/workDoneProgress/create", "window/showMessageRequest":
		return jsonNull, nil
	case "window/showDocument":
		return map[string]bool{"success": false}, nil
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "navseam only reads"}, nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return jsonNull, nil
	}
	return nil, &rpc.Error{Code: rpc.CodeMethodNotFound, Message: "not supported: " + method}
}

// configuration answers workspace/configuration, unless the server asks for so many copies
// that the answer would be larger than what it may send itself.
func (s *Server) configuration(params json.RawMessage) (any, *rpc.Error) {
	answers := s.config.configurationItems(params)
	size := 0
	for _, answer := range answers {
		if size += len(answer) + 1; size > s.config.MaxMessageBytes {
			return nil, &rpc.Error{Code: rpc.CodeInvalidParams, Message: "too many items"}
		}
	}
	return answers, nil
}

func (s *Server) folders() []workspaceFolder {
	return []workspaceFolder{{URI: s.root.URI(), Name: "workspace"}}
}

// notice takes the server's notifications. It runs on the read loop and does not block.
func (s *Server) notice(method string, params json.RawMessage) {
	switch method {
	case "$/progress":
		s.activity.progress(params)
	case "window/logMessage":
		s.activity.logged(params)
	case "experimental/serverStatus":
		s.activity.status(params)
	}
}
