package walk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// judge asks one server about a walk, and compares what it says with the truth.
type judge struct {
	t       *testing.T
	server  server
	walker  *walker
	config  host.Config
	host    *host.Host
	random  *rand.Rand
	limit   int // the most files that a query touches
	truths  map[string]*truth
	news    []string // names of which something else is true since the last question
	changed int      // files since then
	history []string
	report  func(q question, stale string)

	answers, complete, excused, stale int
	operations                        [seam.OperationCount]int
	took                              []time.Duration
}

// step has the walker do something, and notes what is true now.
func (j *judge) step(n int, do func() (what string, files int)) {
	what, files := do()
	j.changed += files
	j.history = append(j.history, fmt.Sprintf("%d %s (%d files)", n, what, files))
	before := j.truths
	j.truths = j.walker.world.truths()
	for _, name := range j.walker.world.names() {
		if !reflect.DeepEqual(before[name], j.truths[name]) {
			j.news = append(j.news, name)
		}
	}
	j.news = slices.DeleteFunc(j.news, func(name string) bool { return j.truths[name] == nil })
}

// question asks one thing, mostly about what is new.
func (j *judge) question() {
	names := j.news
	if len(names) == 0 || j.random.IntN(4) == 0 {
		names = j.walker.world.names()
	}
	q := j.about(names[j.random.IntN(len(names))], j.random)
	began := time.Now()
	result, err := j.query(j.host, q)
	j.took = append(j.took, time.Since(began))
	require.NoError(j.t, err, "%v\n%s", q, j.story())
	j.answers++
	j.operations[q.op]++
	completeness := completenessOf(result)
	if completeness == seam.Complete {
		j.complete++
	}
	switch wrong := j.wrong(q, result); {
	case wrong == "":
	case completeness == seam.Incomplete && j.changed > j.limit:
		j.excused++
	default:
		j.stale++
		j.report(q, fmt.Sprintf("stale: %v\n%s\nthe answer was %s, after %v: %s", q, j.story(), completeness, time.Since(began), wrong))
	}
	j.news, j.changed = nil, 0
	j.walker.remember(q.at.file)
}

// later says whether a wrong answer becomes right by itself.
func (j *judge) later(q question) string {
	began := time.Now()
	var wrong string
	for time.Since(began) < 5*time.Second {
		result, err := j.query(j.host, q)
		if err != nil {
			return "then: " + err.Error()
		}
		if wrong = j.wrong(q, result); wrong == "" {
			return fmt.Sprintf("it was right %v later (%s)", time.Since(began), completenessOf(result))
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "after 5 s more: " + wrong
}

// checkpoint has a server that was just started say the same: it shows that the workspace is
// really what this test thinks. A complete answer is right at once, others may come to it. It
// leaves the walk as it is without.
func (j *judge) checkpoint(random *rand.Rand) {
	h := open(j.t, j.config)
	names := j.walker.world.names()
	random.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	for _, name := range names[:min(5, len(names))] {
		q := j.about(name, random)
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
			result, err := j.query(h, q)
			require.NoError(j.t, err, "a fresh server, %v\n%s", q, j.story())
			wrong := j.wrong(q, result)
			if wrong == "" {
				break
			}
			require.True(j.t, completenessOf(result) != seam.Complete && time.Now().Before(deadline),
				"a fresh server disagrees: %v\n%s\nits answer is %s: %s", q, j.story(), completenessOf(result), wrong)
		}
	}
	require.NoError(j.t, h.Close(context.Background()))
}

func (j *judge) query(h *host.Host, q question) (seam.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), j.server.patience())
	defer cancel()
	return h.Query(ctx, seam.Request{Operation: q.op, FilePath: q.at.file, Position: q.at.at.Start, WorkspaceRoot: j.walker.root})
}

// story is how the workspace came to be what it is.
func (j *judge) story() string {
	return "the last steps:\n  " + strings.Join(j.history[max(0, len(j.history)-8):], "\n  ")
}

// keep writes all steps and the workspace where somebody can look at them.
func (j *judge) keep() {
	folder, err := os.MkdirTemp("", "walk-")
	require.NoError(j.t, err)
	require.NoError(j.t, os.WriteFile(filepath.Join(folder, "steps"), []byte(strings.Join(j.history, "\n")+"\n"), 0o600))
	require.NoError(j.t, os.CopyFS(filepath.Join(folder, "workspace"), os.DirFS(j.walker.root)))
	j.t.Log("all steps, and the workspace after them, are in", folder)
}

func (j *judge) quantile(q float64) time.Duration {
	slices.Sort(j.took)
	return j.took[int(q*float64(len(j.took)-1))]
}

func (j *judge) starts() int {
	starts := 0
	for _, p := range j.host.Status().Providers {
		for _, w := range p.Server.Workspaces {
			starts += w.Starts
		}
	}
	return starts
}
