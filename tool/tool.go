package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/navseam/navseam/seam"
)

// Querier answers questions: a host.
type Querier interface {
	Query(ctx context.Context, request seam.Request) (seam.Result, error)
}

// Tool is the lsp tool. It is safe for concurrent use. Its owner calls Close.
type Tool struct {
	querier     Querier
	configuring sync.Mutex
	state       atomic.Pointer[state]
}

// state is what a call works with, from its beginning to its end.
type state struct {
	config Config
	views  *views
}

// New makes a tool.
func New(q Querier, c Config) *Tool {
	t := &Tool{querier: q}
	c = c.complete()
	t.state.Store(&state{c, newViews(c)})
	return t
}

// Configure is for calls from now on.
func (t *Tool) Configure(c Config) {
	t.configuring.Lock()
	defer t.configuring.Unlock()
	c = c.complete()
	before := t.state.Load()
	if c.MaxSourceBytes == before.config.MaxSourceBytes && slices.Equal(c.SourceRoots, before.config.SourceRoots) {
		t.state.Store(&state{c, before.views})
		return
	}
	t.state.Store(&state{c, newViews(c)})
	before.views.close()
}

// Close gives back what the tool holds, or what calls hold at their end.
func (t *Tool) Close() {
	t.configuring.Lock()
	defer t.configuring.Unlock()
	t.state.Load().views.close()
}

// Call asks what the arguments say, a JSON object as [InputSchema] describes it. It never
// fails and never panics: a failure is an answer.
//
// Roots are the folders that may be the workspace, best first. An absolute file_path takes
// the deepest one that contains it, a relative one the first that has such a file; else it
// is the first.
func (t *Tool) Call(ctx context.Context, roots []string, arguments json.RawMessage) (answer Answer) {
	s := t.state.Load()
	q, err := parseArguments(arguments)
	if err != nil {
		return cut(Failure(err), s.config.MaxResultChars)
	}
	defer func() {
		if bug := recover(); bug != nil {
			answer = s.failure(q, seam.Errorf(seam.CodeInternal, "a bug of navseam, please report it: %v", bug))
		}
	}()
	if len(roots) == 0 {
		return s.failure(q, seam.Errorf(seam.CodeWorkspaceRequired,
			"no workspace is known: name the folder that questions are about where navseam is started or in the client").WithReason(seam.ReasonMissing))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.config.Timeout, &seam.Error{
		Code:      seam.CodeTimeout,
		Message:   fmt.Sprintf("there was no answer within %s: ask again, since what was begun may be done then, or raise %s", s.config.Timeout, limitTimeout),
		Limit:     limitTimeout,
		Retryable: true,
		Err:       context.DeadlineExceeded,
	})
	defer cancel()
	found, err := s.ask(ctx, t.querier, s.rootOf(ctx, roots, q.File), q)
	if err != nil {
		return s.failure(q, err)
	}
	return s.show(ctx, found)
}

// failure is the answer to a question that failed.
func (s *state) failure(q Question, err error) Answer {
	answer := cut(Failure(err), s.config.MaxResultChars)
	answer.Meta.Operation = q.Operation.String()
	return answer
}
