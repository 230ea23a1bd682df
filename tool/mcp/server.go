package mcp

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/tool"
)

// Options say what a server shows.
type Options struct {
	Version string

	// Tool waits until the tool may be called. The first call waits, not the handshake. Its
	// error is the answer to the call.
	Tool func(ctx context.Context) (*tool.Tool, error)

	// Folders are the workspaces of clients that name none.
	Folders Folders

	// Activity says what calls about these folders wait for, for clients that want to know;
	// "" is nothing. Nil is nothing, ever.
	Activity func(folders []string) string

	// Metrics answers at MetricsPath over HTTP, to whoever has the token; nil: nothing does.
	Metrics http.Handler

	// Log gets what happens; nil discards it.
	Log *slog.Logger
}

// Server answers any number of clients at once.
type Server struct {
	options  Options
	sdk      *sdk.Server
	roots    roots
	requests requests

	sessionLimit time.Duration

	lifetime context.Context // of calls
	end      context.CancelCauseFunc
}

// New makes a server. Nothing is asked of the tool before the first call. Its owner calls
// Close when it no longer serves.
func New(options Options) *Server {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	lifetime, end := context.WithCancelCause(context.Background())
	s := &Server{options: options, lifetime: lifetime, end: end, sessionLimit: sessionLimit}
	s.sdk = sdk.NewServer(s.implementation(), &sdk.ServerOptions{
		Instructions: tool.Instructions,
		Capabilities: capabilities(),
		//lint:ignore SA1019 the protocol gives roots up, but they are what clients have
		RootsListChangedHandler: s.forgetRoots,
		Logger:                  slog.New(quiet{options.Log.Handler()}),
	})
	s.roots.live = s.sdk.Sessions
	s.sdk.AddTool(description(), s.call)
	s.sdk.AddReceivingMiddleware(s.survive, s.probe)
	return s
}

// Close ends all calls: they answer that they were cancelled. A question to a client that does
// not read is not waited for: its write ends with the process.
func (s *Server) Close() {
	s.end(errEnding())
	waitFor(&s.roots.asking, endLimit)
}

// waitFor waits until a group is done, or for long enough.
func waitFor(group *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

func (s *Server) implementation() *sdk.Implementation {
	return &sdk.Implementation{Name: "navseam", Title: "navseam", Version: s.options.Version}
}

// capabilities are what clients are told: there are tools, always the same.
func capabilities() *sdk.ServerCapabilities {
	return &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}
}

// description is the tool as clients list it. There is no output schema: with one, clients
// show models the structured content in the place of the text.
func description() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name:        tool.Name,
		Description: tool.Description,
		InputSchema: tool.InputSchema(),
		Annotations: &sdk.ToolAnnotations{Title: "Code navigation", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}
}

// endLimit is how long calls that were told to end may take to answer.
const endLimit = 2 * time.Second
