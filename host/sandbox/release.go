package sandbox

import (
	"context"
	"sync"
	"time"

	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// release is one content of the module's file: its code and where it works.
type release struct {
	provider   *Provider
	stamp      stamp
	report     Report
	operations [seam.OperationCount]bool
	code       engine.Code

	users int // queries and starts; the provider's lock guards it

	mu     sync.Mutex
	spaces map[any]*space
}

// enter finds the module's space in a workspace, and keeps it from being ended.
func (r *release) enter(ctx context.Context, root Root) (*space, error) {
	if s := r.known(root); s != nil {
		return s, nil
	}
	documents, err := root.Open(ctx, workspace.ViewOptions{
		MaxBytes:    r.provider.config.Limits.DocumentBytes,
		SourceRoots: r.provider.config.SourceRoots,
	})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.spaces[root.Key]; s != nil { // another was faster
		documents.Close()
		s.users++
		return s, nil
	}
	s := newSpace(r, root, documents)
	s.users = 1
	r.spaces[root.Key] = s
	return s, nil
}

func (r *release) known(root Root) *space {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.spaces[root.Key]
	if s != nil {
		s.users++
	}
	return s
}

func (r *release) hold(s *space) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.users++
}

func (r *release) leave(s *space) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.users--
	s.used = time.Now()
}

// sweep ends instances that nobody has used for a while, and spaces without any.
func (r *release) sweep(idle time.Duration) {
	for _, s := range r.all() {
		s.sweep(time.Now().Add(-idle))
	}
	r.mu.Lock()
	var ended []*space
	for key, s := range r.spaces {
		if s.users == 0 && time.Since(s.used) > idle {
			delete(r.spaces, key)
			ended = append(ended, s)
		}
	}
	r.mu.Unlock()
	for _, s := range ended {
		s.close()
	}
}

func (r *release) all() []*space {
	r.mu.Lock()
	defer r.mu.Unlock()
	spaces := make([]*space, 0, len(r.spaces))
	for _, s := range r.spaces {
		spaces = append(spaces, s)
	}
	return spaces
}

// close ends everything of the release. Nobody uses it any more.
func (r *release) close() {
	for _, s := range r.all() {
		s.close()
	}
	if err := r.code.Close(); err != nil {
		r.provider.log.Error("the compiled module was not closed cleanly", "error", err)
	}
}
