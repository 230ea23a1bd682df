//lint:file-ignore SA1019 the protocol gives roots up, but they are what clients have

package mcp

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/internal/workspace"
)

// rootsLimit is how long a client may take to name its roots. Then it has none.
const rootsLimit = 5 * time.Second

// roots are the folders that clients named, by session. Each is asked once, and again when
// it says that they changed.
type roots struct {
	live func() iter.Seq[*sdk.ServerSession]

	mu     sync.Mutex
	known  map[*sdk.ServerSession]*clientRoots
	asking sync.WaitGroup
}

// clientRoots are known when settled is closed.
type clientRoots struct {
	settled chan struct{}
	folders []string
}

// of returns the roots of a session, and whether somebody has yet to ask for them.
func (r *roots) of(session *sdk.ServerSession) (entry *clientRoots, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if entry, ok := r.known[session]; ok {
		return entry, false
	}
	entry = &clientRoots{settled: make(chan struct{})}
	r.add(session, entry)
	return entry, true
}

// set takes roots that came without being asked for in a message of their own.
func (r *roots) set(session *sdk.ServerSession, folders []string) {
	entry := &clientRoots{settled: make(chan struct{}), folders: folders}
	close(entry.settled)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(session, entry)
}

// add also drops those of sessions that ended.
func (r *roots) add(session *sdk.ServerSession, entry *clientRoots) {
	if r.known == nil {
		r.known = map[*sdk.ServerSession]*clientRoots{}
	}
	live := slices.Collect(r.live())
	for one := range r.known {
		if !slices.Contains(live, one) {
			delete(r.known, one)
		}
	}
	r.known[session] = entry
}

func (s *Server) forgetRoots(_ context.Context, request *sdk.RootsListChangedRequest) {
	s.roots.mu.Lock()
	defer s.roots.mu.Unlock()
	delete(s.roots.known, request.Session)
}

// clientRoots returns the folders of a client. Newer clients are asked in the place of the
// result, and call again with what they were asked for: then ask is that result.
func (s *Server) clientRoots(ctx context.Context, request *sdk.CallToolRequest) (folders []string, ask *sdk.CallToolResult) {
	able := request.ClientCapabilities()
	if able == nil || able.RootsV2 == nil {
		return nil, nil
	}
	if request.ProtocolVersion() >= firstWithoutRequests {
		return s.carriedRoots(request)
	}
	entry, first := s.roots.of(request.Session)
	if first {
		s.roots.asking.Go(func() {
			defer close(entry.settled)
			defer s.caught("asking for roots")
			entry.folders = s.askRoots(ctx, request.Session)
		})
	}
	select {
	case <-entry.settled:
		return entry.folders, nil
	case <-ctx.Done():
		return nil, nil
	}
}

// askRoots outlives the call that needed it first: others wait for it too.
func (s *Server) askRoots(ctx context.Context, session *sdk.ServerSession) []string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rootsLimit)
	defer cancel()
	defer context.AfterFunc(s.lifetime, cancel)()
	answer, err := session.ListRoots(ctx, nil)
	if err != nil {
		s.options.Log.Warn("the client did not name its roots", "error", err)
		return nil
	}
	return s.paths(answer)
}

// firstWithoutRequests is the first version of the protocol in which servers send no
// requests.
const firstWithoutRequests = "2026-07-28"

const rootsQuestion = "roots"

func (s *Server) carriedRoots(request *sdk.CallToolRequest) ([]string, *sdk.CallToolResult) {
	if answers := request.Params.InputResponses; answers != nil {
		answer, _ := answers[rootsQuestion].(*sdk.ListRootsResult)
		folders := s.paths(answer)
		s.roots.set(request.Session, folders)
		return folders, nil
	}
	s.roots.mu.Lock()
	entry := s.roots.known[request.Session]
	s.roots.mu.Unlock()
	if entry != nil {
		return entry.folders, nil
	}
	return nil, &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsQuestion: &sdk.ListRootsParams{}}}
}

// paths leaves out what names no folder of this machine.
func (s *Server) paths(answer *sdk.ListRootsResult) (folders []string) {
	if answer == nil {
		return nil
	}
	for _, root := range answer.Roots {
		if root == nil {
			continue
		}
		path, err := workspace.PathOf(root.URI)
		if err != nil {
			s.options.Log.Warn("a root of the client is left out", "error", err)
			continue
		}
		folders = append(folders, path)
	}
	return folders
}
