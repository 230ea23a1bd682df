package mcp

import (
	"context"
	"runtime/debug"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

// metaKey is where results carry, for programs, what their text says for models.
const metaKey = "io.github.navseam/result"

// call is one call of the tool. The tool gets the arguments as they came, and judges them in
// words made for models.
func (s *Server) call(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.lifetime, func() { cancel(context.Cause(s.lifetime)) })()
	defer s.requests.cancelWith(request, cancel)()

	folders, instead := s.workspaces(ctx, request)
	if instead != nil {
		return instead, nil
	}
	defer s.tell(ctx, request, folders).stop() // before the result
	t, err := s.options.Tool(ctx)
	if err != nil {
		return result(tool.Failure(reason(ctx, err))), nil
	}
	return result(t.Call(ctx, folders, request.Params.Arguments)), nil
}

// reason prefers why a call was ended to what that led to.
func reason(ctx context.Context, err error) error {
	if code := seam.CodeOf(err); code == seam.CodeCancelled || code == seam.CodeTimeout {
		if why := seam.ContextError(ctx); why != nil {
			return why
		}
	}
	return err
}

func result(answer tool.Answer) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Meta:    sdk.Meta{metaKey: answer.Meta},
		Content: []sdk.Content{&sdk.TextContent{Text: answer.Text}},
		IsError: answer.Failed,
	}
}

// survive makes a panic the answer to one request, instead of the end of all.
func (s *Server) survive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (answer sdk.Result, err error) {
		defer func() {
			bug := recover()
			if bug == nil {
				return
			}
			s.options.Log.Error("panic in a request", "method", method, "panic", bug, "stack", string(debug.Stack()))
			failure := seam.Errorf(seam.CodeInternal, "a bug of navseam, please report it: %v", bug)
			answer, err = nil, failure
			if _, ok := request.(*sdk.CallToolRequest); ok {
				answer, err = result(tool.Failure(failure)), nil
			}
		}()
		return next(ctx, method, request)
	}
}

// caught keeps a panic in a goroutine of ours from ending all. It is deferred.
func (s *Server) caught(doing string) {
	if bug := recover(); bug != nil {
		s.options.Log.Error("panic", "doing", doing, "panic", bug, "stack", string(debug.Stack()))
	}
}

func errEnding() error {
	return &seam.Error{Code: seam.CodeCancelled, Message: "navseam is ending: call again when it runs", Retryable: true}
}
