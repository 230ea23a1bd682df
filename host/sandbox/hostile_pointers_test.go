package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// The modules named pointers_… have a table of pointers and lengths, of which the line of
// the question chooses one. Their memory has one page, so that it ends before 0x10000:
//
//	0  0x10000, 0              behind the end, but nothing
//	1  0xffff, 1               the last byte
//	2  0xffff, 2               one more
//	3  0x10000, 1
//	4  0xffffffff, 1
//	5  0xffffffff, 2           wraps around in 32 bits
//	6  0x80000000, 1           negative, if it were signed
//	7  0x8000, 0xffff8000      wraps around to 0
//	8  0x80000000, 0x80000000  wraps around to 0
//	9  0xffffffff, 0
//	10 0xfffe, 0x7fffffff
const pointerLines = 11

// pointers asks about each line of such a table: those of breaches fail, those of either
// may, and the others do no harm.
func pointers(module string, op seam.Operation, breaches, either []int) hostile {
	questions := onLines(pointerLines, question{op: op})
	for _, line := range breaches {
		questions[line].code = failed
	}
	for _, line := range either {
		questions[line].code, questions[line].either = failed, true
	}
	return hostile{module: "pointers_" + module, asks: questions}
}

func TestHostilePointers(t *testing.T) {
	var cases []hostile
	// What the host reads lies in the memory, all of it.
	for _, module := range []string{
		"message", "log", "file_open", "file_stat_path", "dir_read_path", "cache_key", "cache_put",
		"http_method", "http_url", "http_headers", "http_body",
	} {
		cases = append(cases, pointers(module, seam.OpGoToDefinition, []int{2, 3, 4, 5, 6, 7, 8, 10}, nil))
	}
	cases = append(cases, pointers("hover", seam.OpHover, []int{2, 3, 4, 5, 6, 7, 8, 10}, nil))
	// What it writes does, as far as it is written: there are more than two bytes of each.
	for _, module := range []string{"path", "language", "config", "error", "dir_read", "cache_get"} {
		cases = append(cases, pointers(module, seam.OpGoToDefinition, []int{2, 3, 4, 5, 6, 8, 10}, nil))
	}
	// Reads may look at all of the room or at what is written.
	for _, module := range []string{"source", "file_read"} {
		cases = append(cases, pointers(module, seam.OpGoToDefinition, []int{2, 3, 4, 5, 6, 8, 10}, []int{7}))
	}

	record := pointers("record", seam.OpGoToDefinition, []int{2, 3, 4, 5, 6, 7, 8, 10}, nil)
	record.asks[0].code, record.asks[9].code = malformed, malformed // an empty path
	cases = append(
		cases, record,
		hostile{module: "pointers_locations", asks: []question{
			{line: 0, answer: "nothing"},
			{line: 1, answer: "nothing"},
			{line: 2, code: malformed}, // a record in the last 24 bytes
			{line: 3, code: failed},
			{line: 4, code: failed}, // 24 times the count is 8 in 32 bits
			{line: 5, code: failed},
			{line: 6, code: failed},
			{line: 7, code: failed},
			{line: 8, code: failed}, // wraps around
			{line: 9, code: failed},
		}},
		hostile{module: "pointers_file_stat", asks: []question{
			{line: 0}, // the last 24 bytes
			{line: 1, code: failed},
			{line: 2, code: failed},
			{line: 3, code: failed},
			{line: 4, code: failed},
			{line: 5, code: failed},
		}},
	)
	requireHarmless(t, cases)
}

// WASI has error numbers of its own.
func TestHostileWASI(t *testing.T) {
	const efault, enosys, ebadf, einval = 21, 52, 8, 28
	var pointers, counts, files []question
	for function := range 5 {
		for _, line := range []int{0, 1, 2, 3} {
			q := question{line: line, character: function, lines: []int{efault}}
			if line == 3 && function != 0 {
				continue // that is about a length, which only random_get and fd_write take
			}
			pointers = append(pointers, q)
		}
	}
	for function := range 2 {
		for line := range 4 {
			counts = append(counts, question{line: line, character: function, lines: []int{efault, einval, 0}})
		}
	}
	for line := range 5 {
		files = append(files, question{line: line, lines: []int{ebadf, enosys}})
	}
	requireHarmless(t, []hostile{
		{module: "pointers_wasi", asks: pointers},
		{module: "wasi_counts", asks: counts},
		{module: "wasi_files", asks: files},
		{module: "wasi_close", asks: []question{{line: 1, answer: got(0)}, {line: 3, answer: got(ebadf)}, {line: 1, answer: got(0)}}},
	})
}

// Almost all of the memory that there can be: pointers are beyond 2 GiB, and right. It is
// asked once, by an engine whose memory costs nothing before it is used; in the long run by
// all of them.
func TestHostilePointersInAllOfTheMemory(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		if underRace() || engine == "wazero-interpreter" && !proving() {
			return // 4 GiB would be written
		}
		config := hostileConfig("memory_65535", engine)
		config.Limits.MemoryBytes = 65535 << 16
		config.Limits.LoadTimeout, config.Limits.CallTimeout = time.Minute, time.Minute
		result, err := provide(t, config).GoToDefinition(t.Context(), target(hostileRoot(t), "a.toy", 0, 0))
		require.NoError(t, err)
		require.Equal(t, got(0), saidAs(result))
	})
}
