// Package seamtest holds one table of what every [seam.Provider] must do, and a
// provider in memory that does it. A provider's own tests call [Run] with a
// fixture: a workspace in which they know the answers.
package seamtest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// Fixture is a provider and a workspace in which the answers are known.
type Fixture struct {
	Provider     seam.Provider
	Root         string // as a caller would give it
	WorkspaceURI string // canonical file: URI of Root
	Language     string
	Cases        []Case
	Nothing      Place // a place where hover has nothing to show
	Unsupported  []seam.Operation
	OutsideFile  string // an existing file outside the workspace that the provider's routes serve
}

// Place is a position in a file of the fixture's workspace.
type Place struct {
	File     string // relative to the root
	Position seam.Position
}

// Case is a question with its answer: Locations for the navigation operations,
// Hover for hover.
type Case struct {
	Operation seam.Operation
	Place
	Locations []seam.Location
	Hover     string
}

// Run runs the whole table against the fixture.
func Run(t *testing.T, f Fixture) {
	t.Run("answers what is known", f.answers)
	t.Run("takes absolute paths", f.absolutePaths)
	t.Run("has nothing to show", f.nothing)
	t.Run("says what it does not support", f.unsupported)
	t.Run("names every failure", f.failures)
	t.Run("answers many at once", f.concurrent)
	t.Run("keeps its identity", f.identity)
}

func (f Fixture) target(p Place) seam.Target {
	return seam.Target{FilePath: p.File, Position: p.Position, WorkspaceRoot: f.Root, LanguageID: f.Language}
}

func (f Fixture) answers(t *testing.T) {
	require.NotEmpty(t, f.Cases, "the fixture knows no answers")
	for _, c := range f.Cases {
		t.Run(c.Operation.String()+" "+c.File, func(t *testing.T) {
			require.NoError(t, f.check(t.Context(), c, f.target(c.Place)))
		})
	}
}

// check asks a case's question and compares.
func (f Fixture) check(ctx context.Context, c Case, target seam.Target) error {
	result, err := seam.Ask(ctx, f.Provider, c.Operation, target)
	if err != nil {
		return err
	}
	switch answer := result.(type) {
	case seam.Locations:
		if answer.WorkspaceURI != f.WorkspaceURI {
			return errors.New("workspace URI is " + answer.WorkspaceURI + ", not " + f.WorkspaceURI)
		}
		if !sameSet(answer.Items, c.Locations) {
			return seam.Errorf(seam.CodeInternal, "got %v, want %v", answer.Items, c.Locations)
		}
	case seam.HoverResult:
		if answer.Hover == nil || answer.Hover.Contents != c.Hover {
			return seam.Errorf(seam.CodeInternal, "got hover %+v, want %q", answer.Hover, c.Hover)
		}
	}
	return nil
}

func sameSet(got, want []seam.Location) bool {
	if len(got) != len(want) {
		return false
	}
	seen := make(map[seam.Location]int, len(want))
	for _, l := range want {
		seen[l]++
	}
	for _, l := range got {
		seen[l]--
		if seen[l] < 0 {
			return false
		}
	}
	return true
}

func (f Fixture) absolutePaths(t *testing.T) {
	target := f.target(f.Cases[0].Place)
	target.FilePath = filepath.Join(f.Root, target.FilePath)
	require.NoError(t, f.check(t.Context(), f.Cases[0], target))
}

func (f Fixture) nothing(t *testing.T) {
	answer, err := f.Provider.Hover(t.Context(), f.target(f.Nothing))
	require.NoError(t, err)
	require.Nil(t, answer.Hover)
}

func (f Fixture) unsupported(t *testing.T) {
	for _, op := range f.Unsupported {
		_, err := seam.Ask(t.Context(), f.Provider, op, f.target(f.Cases[0].Place))
		require.Equal(t, seam.CodeUnsupportedOperation, seam.CodeOf(err), "%s: %v", op, err)
	}
}

func (f Fixture) failures(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancelLate()
	good := f.target(f.Cases[0].Place)
	cases := []struct {
		name   string
		ctx    context.Context
		change func(*seam.Target)
		code   seam.Code
		reason string
		cause  error
	}{
		{"cancelled before", cancelled, nil, seam.CodeCancelled, "", context.Canceled},
		{"deadline passed before", late, nil, seam.CodeTimeout, "", context.DeadlineExceeded},
		{"no such workspace", nil, func(t *seam.Target) { t.WorkspaceRoot += "-no-such-folder" }, seam.CodeWorkspaceRequired, seam.ReasonMissing, nil},
		{"no such file", nil, func(t *seam.Target) { t.FilePath = "no-such-file" + filepath.Ext(t.FilePath) }, seam.CodeSourceRejected, seam.ReasonMissing, nil},
		{"file outside", nil, func(t *seam.Target) { t.FilePath = f.OutsideFile }, seam.CodeSourceRejected, seam.ReasonOutside, nil},
		{"line past the end", nil, func(t *seam.Target) { t.Position.Line = 1 << 20 }, seam.CodeInvalidArgs, "", nil},
		{"character past the end", nil, func(t *seam.Target) { t.Position.Character = 1 << 20 }, seam.CodeInvalidArgs, "", nil},
		{"negative line", nil, func(t *seam.Target) { t.Position.Line = -1 }, seam.CodeInvalidArgs, "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx, target := c.ctx, good
			if ctx == nil {
				ctx = t.Context()
			}
			if c.change != nil {
				c.change(&target)
			}
			_, err := seam.Ask(ctx, f.Provider, f.Cases[0].Operation, target)
			coded := seam.AsError(err)
			require.NotNil(t, coded)
			require.Equal(t, c.code, coded.Code, "%v", err)
			require.Equal(t, c.reason, coded.Reason, "%v", err)
			if c.cause != nil {
				require.ErrorIs(t, err, c.cause)
			}
		})
	}
}

func (f Fixture) concurrent(t *testing.T) {
	failed := make(chan error, 50)
	var group sync.WaitGroup
	for i := range cap(failed) {
		group.Go(func() {
			c := f.Cases[i%len(f.Cases)]
			failed <- f.check(t.Context(), c, f.target(c.Place))
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
}

func (f Fixture) identity(t *testing.T) {
	require.NotEmpty(t, f.Provider.ID())
	require.Equal(t, f.Provider.ID(), f.Provider.ID())
	require.Equal(t, f.Provider.Routes(), f.Provider.Routes())
}
