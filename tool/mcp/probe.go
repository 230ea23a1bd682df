package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/tool"
)

// probe answers clients that look what there is before they decide how to speak. Left to
// itself, the library takes the look for a beginning, and refuses the handshake after it.
func (s *Server) probe(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if _, ok := request.(*sdk.ServerRequest[*sdk.DiscoverParams]); !ok {
			return next(ctx, method, request)
		}
		return &sdk.DiscoverResult{
			Cacheable:         sdk.Cacheable{CacheScope: "private"},
			SupportedVersions: sdk.SupportedProtocolVersions(),
			Capabilities:      capabilities(),
			Instructions:      tool.Instructions,
		}, nil
	}
}
