package cold_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/expect"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

// A-223, which had no word for it: a server that has not read the workspace yet gives a part, and
// that part is Incomplete. Whoever asks on gets the whole, marked Complete, within the time that
// the configuration gives the server to become ready.
func TestColdTruth(t *testing.T) {
	for _, name := range realserver.Names() {
		t.Run(name, func(t *testing.T) {
			var slowest time.Duration
			var partial int
			f := realserver.Prepare(t, name)
			for i := range starts() {
				if i%2 == 0 { // what a server keeps in the workspace is there at every other start
					f = realserver.Prepare(t, name)
				}
				c := references(f)[i%len(references(f))]
				took, parts := start(t, f, c, patience(i))
				slowest, partial = max(slowest, took), partial+parts
			}
			t.Logf("%d starts: Complete after %s at most; %d answers before that were Incomplete", starts(), slowest.Round(time.Millisecond), partial)
		})
	}
}

// start starts a server with a question, and asks until the answer is Complete. The first time
// the caller waits no longer than patience. It returns how long that took, and how many answers
// were Incomplete.
func start(t *testing.T, f realserver.Fixture, c expect.Case, patience time.Duration) (took time.Duration, partial int) {
	config, err := host.Load(f.Config)
	require.NoError(t, err)
	h, err := host.Open(t.Context(), config, host.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close(context.Background())) }()

	limit := documented(t, config)
	began := time.Now()
	for ask := 0; ; ask++ {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		result, err := h.Query(ctx, seam.Request{Operation: c.Operation, FilePath: c.File, Position: c.Position, WorkspaceRoot: f.Root})
		cancel()
		took = time.Since(began)
		patience = limit
		if seam.CodeOf(err) == seam.CodeTimeout {
			require.Zero(t, ask, "only the first caller is impatient: %v", err)
			continue
		}
		require.NoError(t, err)
		switch found := result.(seam.Locations); found.Completeness {
		case seam.Complete:
			require.NoError(t, c.Check(f.Root, result, nil), "%s %s is Complete and not right, after %s and %d questions", c.Operation, c.Place, took, ask)
			return took, partial
		case seam.Incomplete:
			partial++
		default:
			require.NoError(t, c.Check(f.Root, result, nil), "%s %s was not marked", c.Operation, c.Place)
			require.Fail(t, "every server of these has a readyWhen, so that an answer is Complete or Incomplete")
		}
		require.Less(t, took, limit, "not Complete within the documented time")
	}
}

// documented is how long a server may take to become ready, by its configuration.
func documented(t *testing.T, config host.Config) time.Duration {
	require.Len(t, config.Servers, 1)
	for _, server := range config.Servers {
		require.NotNil(t, server.ReadyWhen)
		return time.Duration(server.StartTimeoutMs+server.ReadyTimeoutMs) * time.Millisecond
	}
	return 0 // not reached
}

// references are the questions of a fixture whose answers may be a part.
func references(f realserver.Fixture) []expect.Case {
	var cases []expect.Case
	for _, c := range f.Cases {
		if c.Operation == seam.OpFindReferences {
			cases = append(cases, c)
		}
	}
	return cases
}

// patience makes the first callers of different starts give up at different moments of it, and
// every third wait for the answer.
func patience(i int) time.Duration {
	if i%3 == 0 {
		return time.Minute
	}
	return time.Duration(50+i*37%1500) * time.Millisecond
}

// starts is how often each server is started.
func starts() int {
	if os.Getenv("NAVSEAM_PROVE") != "" {
		return 50
	}
	return 3
}
