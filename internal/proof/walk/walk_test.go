package walk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/realserver"
	"github.com/navseam/navseam/seam"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "supervise" {
		os.Exit(process.Supervise(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// server is one that is walked with.
type server struct {
	name             string // in testdata/servers
	language         func(root string) language
	slice            int // steps of a plain run of the tests: fewer where each costs more
	implementation   bool
	implementsItself bool // its implementations of a type have that one too
}

func servers() []server {
	return []server{
		{name: "go", language: golang, slice: 150, implementation: true},
		{name: "typescript7", language: typescript, slice: 150, implementation: true},
		{name: "typescript", language: typescript, slice: 60, implementation: true},
		{name: "python", language: python, slice: 40},
		{name: "basedpyright", language: python, slice: 40, implementation: true, implementsItself: true},
		{name: "cpp", language: cpp, slice: 60, implementation: true},
		{name: "rust", language: rust, slice: 40, implementation: true},
	}
}

// patience is how long an answer may take: nothing here is about time.
func (server) patience() time.Duration { return 2 * time.Minute }

// size of a walk. NAVSEAM_PROVE=1 asks for the whole; NAVSEAM_STEPS, NAVSEAM_BURST and NAVSEAM_SEED
// for another one.
type size struct {
	steps, checkpoints, burst int
	seed                      uint64
}

func sizeOf(t *testing.T, slice int) size {
	s := size{steps: slice, checkpoints: 2, burst: 100, seed: 1}
	if os.Getenv("NAVSEAM_PROVE") != "" {
		s = size{steps: 1000, checkpoints: 20, burst: 10_000, seed: 1}
	}
	number := func(name string, otherwise uint64) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, name)
		return n
	}
	s.steps = int(number("NAVSEAM_STEPS", uint64(s.steps)))
	s.burst = int(number("NAVSEAM_BURST", uint64(s.burst)))
	s.seed = number("NAVSEAM_SEED", s.seed)
	return s
}

// summary is what a proof says of a server.
func (j *judge) summary(s size) string {
	text := fmt.Sprintf("seed %d, %d steps: %d answers, %d complete, %d excused, %d stale, %d process starts; median %v, 99 of 100 in %v;",
		s.seed, s.steps, j.answers, j.complete, j.excused, j.stale, j.starts(), j.quantile(0.5), j.quantile(0.99))
	for op, n := range j.operations {
		text += fmt.Sprintf(" %d %v", n, seam.Operation(op))
	}
	return text
}

// TestWalk is the walk, for each server. An answer is right when it is exactly what the workspace
// says. One that is not may only be so because more files changed than are touched in one query,
// and says that it is incomplete then.
func TestWalk(t *testing.T) {
	for _, s := range servers() {
		t.Run(s.name, func(t *testing.T) {
			fixture := realserver.Prepare(t, s.name)
			config, err := host.Load(fixture.Config)
			require.NoError(t, err)
			size := sizeOf(t, s.slice)
			j := newJudge(t, s, config, size.seed)
			j.report = func(q question, stale string) { t.Errorf("%s\n%s", stale, j.later(q)) }
			defer func() {
				if t.Failed() {
					t.Logf("again: NAVSEAM_SEED=%d NAVSEAM_STEPS=%d NAVSEAM_BURST=%d go test -timeout 0 -run 'TestWalk/%s$' ./internal/proof/walk",
						size.seed, size.steps, size.burst, s.name)
					j.keep()
				}
			}()
			j.walk(size)
			t.Log(j.summary(size))
			if isReady(config) {
				require.GreaterOrEqual(t, float64(j.complete), 0.95*float64(j.answers), "complete answers of %d", j.answers)
			}
		})
	}
}

// TestStaleAnswersAreFound shows that the walk finds what it looks for, in a server that is told of
// nothing but the documents that are open.
func TestStaleAnswersAreFound(t *testing.T) {
	config, err := host.Load(realserver.Prepare(t, "go").Config)
	require.NoError(t, err)
	gopls := config.Servers["gopls"]
	gopls.Freshness.Notify, gopls.Freshness.Touch = false, "none"
	config.Servers["gopls"] = gopls
	j := newJudge(t, servers()[0], config, 1)
	j.report = func(question, string) {}
	j.walk(size{steps: 60, burst: 10})
	require.Equal(t, mostStale, j.stale)
}

func newJudge(t *testing.T, s server, config host.Config, seed uint64) *judge {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root = filepath.Join(root, "workspace")
	require.NoError(t, os.Mkdir(root, 0o700))
	w := begin(t, root, s.language(root), seed)
	return &judge{
		t: t, server: s, walker: w, config: config, host: open(t, config), random: rand.New(rand.NewPCG(seed, 9)),
		limit: limitOf(config), truths: w.world.truths(),
	}
}

// mostStale ends a walk: more of the same tells nothing more.
const mostStale = 10

func (j *judge) walk(s size) {
	bursts := bursts(s.steps, s.burst)
	j.question()
	for n := 1; n <= s.steps && j.stale < mostStale; n++ {
		for _, m := range bursts[n] {
			j.step(n, func() (string, int) {
				what, files, _ := j.walker.move(m)
				return what, files
			})
			j.question()
		}
		j.step(n, j.walker.step)
		if j.random.IntN(5) > 0 { // else there is more to learn at once
			j.question()
		}
		if s.checkpoints > 0 && n%max(1, s.steps/s.checkpoints) == 0 {
			j.checkpoint(rand.New(rand.NewPCG(s.seed, uint64(n))))
		}
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

// limitOf is how many changes a query may be behind. A server for which nothing is touched learns all.
func limitOf(c host.Config) int {
	for _, s := range c.Servers {
		if s.Freshness.Touch != "none" {
			return s.Freshness.TouchLimit
		}
	}
	return math.MaxInt
}

func isReady(c host.Config) bool {
	for _, s := range c.Servers {
		return s.ReadyWhen != nil
	}
	return false
}
