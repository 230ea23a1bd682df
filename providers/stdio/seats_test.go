package stdio

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// slow answers references after a while; hover at once.
func slow(ms int) fakeserver.Script {
	return fakeserver.Script{On: on("textDocument/references", fakeserver.Action{DelayMS: ms})}
}

// start asks for references in the background.
func (h *harness) start(ctx context.Context) <-chan error {
	count := h.count("textDocument/references")
	done := make(chan error, 1)
	go func() {
		_, err := h.ask(ctx, seam.OpFindReferences)
		done <- err
	}()
	h.wait("textDocument/references", count+1)
	return done
}

// Queries of one workspace that could use more processes than there may be wait for those
// there are.
func TestQueriesQueueAtTheCap(t *testing.T) {
	h := beginIn(t, newPool(t, 2), fakeserver.Script{}, func(c *Config) { c.Instances = 4 })
	write(t, h.dir, "a.go", strings.Repeat("\n", 900_000)) // so that reading takes a while
	for range 5 {
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				if _, err := h.hover(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
	}
	require.LessOrEqual(t, len(h.starts()), 2)
}

// A seat that becomes free is offered to whoever waits in line, whatever freed it.
func TestWaitersHearOfSeats(t *testing.T) {
	for name, free := range map[string]func(pool *Pool, other *harness, release context.CancelFunc){
		"the cap is raised":          func(pool *Pool, _ *harness, _ context.CancelFunc) { pool.SetLimit(3) },
		"another workspace is idle":  func(_ *Pool, _ *harness, release context.CancelFunc) { release() },
		"another provider is closed": func(_ *Pool, other *harness, _ context.CancelFunc) { go other.provider.Close(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			pool := newPool(t, 2)
			other := beginIn(t, pool, slow(600_000), func(c *Config) { c.ShutdownTimeout = 200 * time.Millisecond })
			h := beginIn(t, pool, slow(600_000), func(c *Config) {
				c.Instances = 2
				c.ShutdownTimeout = 200 * time.Millisecond
			})
			ctx, release := context.WithCancel(t.Context())
			defer release()
			busy := other.start(ctx)
			mine, cancel := context.WithCancel(t.Context())
			first := h.start(mine)
			waiter := make(chan error, 1)
			go func() {
				_, err := h.hover(t.Context())
				waiter <- err
			}()
			eventually(t, "it is in line", func() bool { return h.workspaceStatus().Queue == 1 })
			free(pool, other, release)
			require.NoError(t, <-waiter)
			cancel()
			release()
			require.Error(t, <-first)
			<-busy
		})
	}
}

// A lowered cap takes hold once the servers that were busy are idle.
func TestLimitShrinksUnderLoad(t *testing.T) {
	pool := newPool(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	var all []*harness
	var busy []<-chan error
	for range 3 {
		h := beginIn(t, pool, slow(600_000), nil)
		all = append(all, h)
		busy = append(busy, h.start(ctx))
	}
	pool.SetLimit(1)
	cancel()
	for _, done := range busy {
		require.Error(t, <-done)
	}
	eventually(t, "one is left", func() bool {
		alive := 0
		for _, h := range all {
			if fakeserver.Running(h.starts()[0]) {
				alive++
			}
		}
		return alive == 1
	})
	_, err := all[0].hover(t.Context())
	require.NoError(t, err)
}

// Closing idle documents does not make a server forget that it is idle.
func TestIdleTimersTogether(t *testing.T) {
	for range 10 {
		h := begin(t, fakeserver.Script{}, func(c *Config) {
			c.DocumentIdle = 30 * time.Millisecond
			c.IdleTimeout = 30 * time.Millisecond
		})
		_, err := h.hover(t.Context())
		require.NoError(t, err)
		eventually(t, "the process is gone", func() bool { return !fakeserver.Running(h.starts()[0]) })
	}
}

// At the cap a server that starts is not sent away: its start would be in vain, time after
// time.
func TestStartsAreNotEvicted(t *testing.T) {
	pool := newPool(t, 1)
	starting := beginIn(t, pool, fakeserver.Script{On: on("initialize", fakeserver.Action{DelayMS: 700})}, nil)
	other := beginIn(t, pool, fakeserver.Script{}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := starting.hover(ctx)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	_, err = other.hover(t.Context())
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	_, err = starting.hover(t.Context())
	require.NoError(t, err)
	require.Len(t, starting.starts(), 1)
}

// An answer that is doubted, and that no fresh server confirms in time, is still an answer.
func TestDoubtfulAnswerIsKept(t *testing.T) {
	h := begin(t, fakeserver.Script{On: map[string][]fakeserver.Action{
		"textDocument/hover": {{DelayMS: 600_000}, {Result: fakeserver.Raw(`null`)}},
	}}, func(c *Config) { c.ShutdownTimeout = 200 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		h.wait("textDocument/hover", 1)
		cancel()
	}()
	_, err := h.hover(ctx)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	late, stop := context.WithTimeout(t.Context(), 2*time.Second) // the fresh one takes its 600 s
	defer stop()
	answer, err := h.provider.Hover(late, h.target())
	require.NoError(t, err)
	require.Nil(t, answer.Hover)
	require.Equal(t, seam.Incomplete, answer.Completeness)
}
