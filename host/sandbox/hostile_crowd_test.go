package sandbox_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// A hundred callers of one instance are served one after the other, and each gets the
// answer to its own question.
func TestHostileCrowd(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		config := hostileConfig("status", engine)
		provider, root := provide(t, config), hostileRoot(t)
		h.requireAlive(t, func() {
			crowd(func(i int) {
				line := i % 4
				_, err := seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, "a.toy", line, 0))
				want := []seam.Code{"", seam.CodeUnsupportedOperation, seam.CodeUnavailable, seam.CodeProviderFailed}[line]
				if code := seam.CodeOf(err); code != want {
					t.Errorf("line %d: %q instead of %q: %v", line, code, want, err)
				}
			})
		})
		require.Equal(t, 1, provider.Status().Workspaces[0].Starts)
	})
}

// A hundred callers of a module that traps: each hears of it, and each had an instance of
// its own.
func TestHostileCrowdOfATrap(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		provider, root := provide(t, hostileConfig("trap_unreachable", engine)), hostileRoot(t)
		h.requireAlive(t, func() {
			crowd(func(int) {
				_, err := seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, "a.toy", 0, 0))
				if code := seam.CodeOf(err); code != failed {
					t.Errorf("%q: %v", code, err)
				}
			})
		})
		require.Equal(t, "0:0-1:0", probe(t, provider, root))
	})
}

func crowd(do func(i int)) {
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// files are the workspaces of the file system.
func files() sandbox.Workspaces { return sandbox.FileWorkspaces(workspace.NewFiles(8)) }

// panicking are workspaces whose documents cannot be read without a panic, for a while.
type panicking struct {
	sandbox.Workspaces
	on atomic.Bool
}

func (w *panicking) Root(ctx context.Context, dir string) (sandbox.Root, error) {
	root, err := w.Workspaces.Root(ctx, dir)
	opened := root.Open
	root.Open = func(ctx context.Context, o workspace.ViewOptions) (sandbox.Documents, error) {
		documents, err := opened(ctx, o)
		return panickingDocuments{documents, w}, err
	}
	return root, err
}

type panickingDocuments struct {
	sandbox.Documents
	of *panicking
}

func (d panickingDocuments) Read(ctx context.Context, path string) (workspace.Source, error) {
	if d.of.on.Load() {
		panic("a bug in a host function")
	}
	return d.Documents.Read(ctx, path)
}

// A panic in a host function is a bug of ours, which ends one query and nothing else.
func TestHostilePanic(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		root := hostileRoot(t)
		spaces := &panicking{Workspaces: files()}
		provider, err := sandbox.New(t.Context(), hostileConfig("pointers_source", engine), spaces)
		require.NoError(t, err)
		t.Cleanup(func() { closeProvider(t, provider) })
		round := func() {
			for range repetitions(1) {
				spaces.on.Store(true)
				_, err := seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, "a.toy", 0, 0))
				require.Equal(t, seam.CodeInternal, seam.CodeOf(err), "%v", err)
				require.ErrorContains(t, err, "a bug in a host function")
				spaces.on.Store(false)
				require.Equal(t, "0:0-1:0", probe(t, provider, root))
				_, err = seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, "a.toy", 0, 0))
				require.NoError(t, err)
			}
		}
		h.requireAlive(t, round)
		before := footprintNow()
		h.requireAlive(t, round)
		requireBack(t, before)
		require.Zero(t, provider.Status().Workspaces[0].Failures, "nobody blames the module")
	})
}

// A document that cannot be served ends the query, whatever the module makes of that, and
// costs no instance its life.
func TestHostileDocuments(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		config := hostileConfig("pointers_source", engine)
		config.Limits.DocumentBytes = 100
		root := folderWith(t, map[string]string{
			"a.toy":      "fine\n",
			"binary.toy": "a\x00b",
			"latin1.toy": "caf\xe9",
			"large.toy":  strings.Repeat("a", 101),
		})
		provider := provide(t, config)
		for file, reason := range map[string]string{
			"binary.toy": seam.ReasonBinary, "latin1.toy": seam.ReasonNotUTF8, "large.toy": seam.ReasonTooLarge, "none.toy": seam.ReasonMissing,
		} {
			_, err := seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, file, 0, 0))
			require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err), "%s: %v", file, err)
			require.Equal(t, reason, seam.AsError(err).Reason, file)
		}
		probe(t, provider, root)
		require.Equal(t, 1, provider.Status().Workspaces[0].Starts)
	})
}
