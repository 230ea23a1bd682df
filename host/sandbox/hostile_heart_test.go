package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

// heart shows that the process lives while something hostile runs in it: it beats, forces
// garbage collections, and asks a healthy module all the time.
type heart struct {
	neighbour *sandbox.Provider
	root      string

	answers atomic.Int64 // of the neighbour

	mu      sync.Mutex
	silence time.Duration // the longest, since it was last looked at
	peak    uint64        // bytes of heap after a collection, likewise
	failed  error         // what the neighbour said instead of an answer
}

// beatEvery is how often the heart beats; it is never silent for longer than maxSilence.
const (
	beatEvery  = 5 * time.Millisecond
	maxSilence = 250 * time.Millisecond
	attempts   = 4
)

func startHeart(t *testing.T, engine string) *heart {
	t.Helper()
	config := configOf(specModule, engine)
	config.ID = "neighbour"
	h := &heart{neighbour: provide(t, config), root: toyRoot(t)}
	h.askNeighbour(t.Context()) // it is compiled and loaded from here on
	require.NoError(t, h.failed)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	running.Go(func() { h.beat(ctx) })
	running.Go(func() {
		for ctx.Err() == nil {
			h.collect()
			pause(ctx, 20*time.Millisecond)
		}
	})
	running.Go(func() {
		for ctx.Err() == nil {
			h.askNeighbour(ctx)
			pause(ctx, beatEvery)
		}
	})
	return h
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// beat takes the time between beats. A machine that is busy with other things makes every
// process silent; one that is frozen by what runs in it works all the while. So, but in the
// long run, time in which the process had no processor does not count.
func (h *heart) beat(ctx context.Context) {
	for last, worked := time.Now(), processTime(); ctx.Err() == nil; {
		pause(ctx, beatEvery)
		now, working := time.Now(), processTime()
		silence := now.Sub(last)
		if !proving() {
			silence = min(silence, working-worked)
		}
		h.mu.Lock()
		h.silence = max(h.silence, silence)
		h.mu.Unlock()
		last, worked = now, working
	}
}

func (h *heart) collect() {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.peak = max(h.peak, stats.HeapAlloc)
}

func (h *heart) askNeighbour(ctx context.Context) {
	result, err := seam.Ask(ctx, h.neighbour, seam.OpGoToDefinition, target(h.root, "sample.toy", 2, 6))
	switch {
	case ctx.Err() != nil:
	case err != nil:
		h.fail(err)
	case saidAs(result) != "0:4-0:8":
		h.fail(fmt.Errorf("the neighbour answered %s", saidAs(result)))
	default:
		h.answers.Add(1)
	}
}

func (h *heart) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		h.failed = err
	}
}

// observation is what was seen of the process while something ran.
type observation struct {
	silence time.Duration
	peak    uint64
	failed  error
}

// during runs something hostile.
func (h *heart) during(run func()) observation {
	h.look()
	run()
	return h.look()
}

func (h *heart) look() observation {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := observation{h.silence, h.peak, h.failed}
	h.silence, h.peak, h.failed = 0, 0, nil
	return seen
}

// maxPeak is how much heap the process may need for a while: for an instance of 128 MiB,
// its stack and an answer.
const maxPeak = 512 << 20

// requireAlive runs something and wants the process to go on as ever. A busy machine has
// hiccups, so that it may try again; what freezes the process does so every time. Under the
// race detector nothing can be said.
func (h *heart) requireAlive(t *testing.T, run func()) {
	t.Helper()
	h.collect()
	before := h.look().peak
	for attempt := 1; ; attempt++ {
		seen := h.during(run)
		require.NoError(t, seen.failed, "the neighbour")
		require.Less(t, seen.peak, before+maxPeak, "bytes of heap")
		if seen.silence <= maxSilence || underRace() {
			break
		}
		t.Logf("attempt %d: silent for %s", attempt, seen.silence)
		require.Less(t, attempt, attempts, "the process is silent for more than %s", maxSilence)
	}
	answers := h.answers.Load()
	require.Eventually(t, func() bool { return h.answers.Load() > answers }, time.Minute, time.Millisecond, "the neighbour is silent")
}

// footprint is what the process holds: bytes of heap, bytes of memory, bytes of code that
// may be executed, and goroutines. What a system does not tell is 0.
type footprint struct {
	heap, resident, executable int64
	goroutines                 int
}

func footprintNow() footprint {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	f := footprint{heap: int64(stats.HeapAlloc), goroutines: runtime.NumGoroutine()}
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, _ := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
		f.resident = pages * int64(os.Getpagesize())
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		f.executable = executableBytes(maps)
	}
	return f
}

// executableBytes sums up the mappings that no file backs and that may be executed.
func executableBytes(maps []byte) (sum int64) {
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 5 && strings.HasPrefix(fields[5], "/") || !strings.Contains(fields[1], "x") {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		begin, _ := strconv.ParseInt(from, 16, 64)
		end, err := strconv.ParseInt(to, 16, 64)
		if err == nil { // that of the kernel is beyond
			sum += end - begin
		}
	}
	return sum
}

// What the process may hold more than before: other goroutines of the test come and go.
const (
	heapSlack       = 4 << 20
	residentSlack   = 64 << 20
	executableSlack = 2 << 20
	goroutineSlack  = 10
)

// requireBack waits until the process holds what it held before.
func requireBack(t *testing.T, before footprint) {
	t.Helper()
	var now footprint
	back := func() bool {
		now = footprintNow()
		return now.heap <= before.heap+heapSlack &&
			(now.resident <= before.resident+residentSlack || underRace()) &&
			now.executable <= before.executable+executableSlack &&
			now.goroutines <= before.goroutines+goroutineSlack
	}
	for range 100 {
		if back() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	require.Fail(t, "memory or goroutines are left over", "before %+v, now %+v", before, now)
}

// underRace reports whether the race detector is on, under which nothing is fast.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// proving reports whether this is the long run.
func proving() bool { return os.Getenv("NAVSEAM_PROVE") != "" }

// repetitions is how often something hostile is repeated, that takes so many times as long
// as the others. NAVSEAM_PROVE asks for the long run, NAVSEAM_REPEAT for another number.
func repetitions(weight int) int {
	number := 20
	switch {
	case os.Getenv("NAVSEAM_REPEAT") != "":
		number, _ = strconv.Atoi(os.Getenv("NAVSEAM_REPEAT"))
	case proving():
		return 1000
	case underRace():
		number = 4
	}
	return max(number/weight, 2)
}
