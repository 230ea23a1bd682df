package walk

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "supervise" {
		os.Exit(process.Supervise(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// size of a walk. NAVSEAM_PROVE asks for the whole; NAVSEAM_STEPS and NAVSEAM_SEED for another
// one: a failure names its seed and its step.
type size struct {
	steps, checkpoints, burst int
	seed                      uint64
}

func sizeOf(t *testing.T, slice int) size {
	s := size{steps: slice, checkpoints: 2, burst: 150, seed: 1}
	if os.Getenv("NAVSEAM_PROVE") != "" {
		s = size{steps: 1000, checkpoints: 20, burst: 10_000, seed: 1}
	}
	if text := os.Getenv("NAVSEAM_STEPS"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		s.steps = n
	}
	if text := os.Getenv("NAVSEAM_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		s.seed = n
	}
	return s
}

// TestWalk is the walk, for each server. An answer is right when it is exactly what the workspace
// says. One that is not may only be so because more files changed than are touched in one query,
// and says that it is incomplete then.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		name     string // in testdata/servers
		language func(root string) language
		slice    int
	}{
		{"go", func(string) language { return golang() }, 60},
		{"typescript7", func(string) language { return typescript() }, 60},
		{"typescript", func(string) language { return typescript() }, 25},
		{"python", func(string) language { return python() }, 25},
		{"basedpyright", func(string) language { return python() }, 25},
		{"cpp", cpp, 25},
		{"rust", func(string) language { return rust() }, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := realserver.Prepare(t, c.name)
			config, err := host.Load(f.Config)
			require.NoError(t, err)
			s := sizeOf(t, c.slice)
			root, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			root = filepath.Join(root, "workspace")
			require.NoError(t, os.Mkdir(root, 0o700))
			j := &judge{
				t: t, walker: begin(t, root, c.language(root), s.seed, s.burst), config: config, host: open(t, config),
				ask: rand.New(rand.NewPCG(s.seed, 9)), limit: limitOf(config), ready: isReady(config),
			}
			for step := range s.steps {
				if step > 0 {
					var what string
					what, j.changed = j.walker.step()
					j.history = append(j.history, fmt.Sprintf("%d %s (%d files)", step, what, j.changed))
				}
				j.question()
				if (step+1)%max(1, s.steps/s.checkpoints) == 0 {
					j.checkpoint()
				}
			}
			t.Logf("%d answers, %d complete, %d excused, median %v, %d process starts", j.answers, j.complete, j.excused, j.median(), j.starts())
			if j.ready {
				require.GreaterOrEqual(t, float64(j.complete), 0.95*float64(j.answers), "complete answers of %d", j.answers)
			}
		})
	}
}

func open(t *testing.T, config host.Config) *host.Host {
	program, err := os.Executable()
	require.NoError(t, err)
	h, err := host.Open(t.Context(), config, host.Options{Supervisor: []string{program, "supervise"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close(context.Background())) })
	return h
}

func limitOf(c host.Config) int {
	for _, s := range c.Servers {
		return s.Freshness.TouchLimit
	}
	return 0
}

func isReady(c host.Config) bool {
	for _, s := range c.Servers {
		return s.ReadyWhen != nil
	}
	return false
}

// judge asks and compares.
type judge struct {
	t       *testing.T
	walker  *walker
	config  host.Config
	host    *host.Host
	ask     *rand.Rand
	limit   int
	ready   bool
	changed int // files of the last step
	history []string

	answers, complete, excused int
	took                       []time.Duration
}

// question asks one thing about one function: all uses at its declaration, or from a call where
// it is declared or what it is.
func (j *judge) question() {
	name := j.walker.one(j.walker.world.declared())
	want := j.walker.world.find(name)
	op, at := seam.OpFindReferences, want.declaration
	want.calls = slices.DeleteFunc(want.calls, func(p place) bool { return j.walker.isLink(p.file) })
	if len(want.calls) > 0 && j.ask.IntN(2) == 0 {
		at = want.calls[j.ask.IntN(len(want.calls))]
		op = []seam.Operation{seam.OpFindReferences, seam.OpGoToDefinition, seam.OpHover}[j.ask.IntN(3)]
	}
	began := time.Now()
	result, err := j.query(j.host, op, at)
	j.took = append(j.took, time.Since(began))
	require.NoError(j.t, err, "%s of %s: %s", op, name, j.story())
	j.answers++
	got, completeness := j.short(result)
	if completeness == seam.Complete {
		j.complete++
	}
	expected := j.expected(op, want)
	if got == expected || op == seam.OpHover && strings.Contains(got, expected) {
		return
	}
	if completeness == seam.Incomplete && j.changed > j.limit {
		j.excused++
		return
	}
	require.Fail(j.t, "stale", "%s of %s at %v: %s\nexpected %s\ngot      %s (%s)", op, name, at, j.story(), expected, got, completeness)
}

// story is how the workspace came to be what it is.
func (j *judge) story() string {
	return "the last steps: " + strings.Join(j.history[max(0, len(j.history)-8):], "; ")
}

func (j *judge) query(h *host.Host, op seam.Operation, at place) (seam.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return h.Query(ctx, seam.Request{Operation: op, FilePath: at.file, Position: at.at, WorkspaceRoot: j.walker.root})
}

func (j *judge) expected(op seam.Operation, want found) string {
	switch op {
	case seam.OpHover:
		return want.version
	case seam.OpGoToDefinition:
		return j.places([]place{want.declaration})
	default:
		return j.places(want.uses)
	}
}

// short is an answer in a form that can be compared.
func (j *judge) short(result seam.Result) (string, seam.Completeness) {
	switch answer := result.(type) {
	case seam.HoverResult:
		if answer.Hover == nil {
			return "nothing", answer.Completeness
		}
		return answer.Hover.Contents, answer.Completeness
	default:
		found := answer.(seam.Locations)
		var places []place
		for _, item := range found.Items {
			path, err := workspace.PathOf(item.URI)
			require.NoError(j.t, err)
			name, err := filepath.Rel(j.walker.root, j.inside(path))
			require.NoError(j.t, err)
			places = append(places, place{filepath.ToSlash(name), item.Range.Start})
		}
		return j.places(places), found.Completeness
	}
}

// inside is the name in the workspace of a file that is linked there.
func (j *judge) inside(path string) string {
	if strings.HasPrefix(path, j.walker.root+string(filepath.Separator)) {
		return path
	}
	for name := range j.walker.disk {
		full := filepath.Join(j.walker.root, name)
		if target, err := os.Readlink(full); err == nil && target == path {
			return full
		}
	}
	return path
}

func (j *judge) places(places []place) string {
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Character, b.at.Character))
	})
	places = slices.Compact(places) // a linked file has two names
	var words []string
	for _, p := range places {
		words = append(words, fmt.Sprintf("%s:%d:%d", p.file, p.at.Line, p.at.Character))
	}
	return strings.Join(words, " ")
}

// checkpoint has a server that was just started say the same of every function: it shows that
// the workspace is really what this test thinks.
func (j *judge) checkpoint() {
	h := open(j.t, j.config)
	name := j.walker.one(j.walker.world.declared())
	want := j.walker.world.find(name)
	expected := j.places(want.uses)
	var got string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		result, err := j.query(h, seam.OpFindReferences, want.declaration)
		require.NoError(j.t, err)
		if got, _ = j.short(result); got == expected || time.Now().After(deadline) {
			break
		}
	}
	require.Equal(j.t, expected, got, "a fresh server disagrees about %s: %s", name, j.story())
	require.NoError(j.t, h.Close(context.Background()))
}

func (j *judge) median() time.Duration {
	slices.Sort(j.took)
	return j.took[len(j.took)/2]
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
