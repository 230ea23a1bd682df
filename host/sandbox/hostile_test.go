package sandbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/seam"
)

// hostile is a module of testdata/hostile and what must come of asking it. The comment at
// the head of its text says what it does.
type hostile struct {
	module string
	as     string // tells cases with the same module apart
	config func(*sandbox.Config)
	asks   []question
	weight int  // it takes so many times as long as others, and is repeated less often
	unborn bool // no instance comes to be, or the module is refused before
}

// question is a question and what must come of it.
type question struct {
	op              seam.Operation
	line, character int

	code   seam.Code // "" for an answer
	limit  string    // the limit of the module that passed
	says   string    // words of the error
	answer string    // the ranges, as in sample.cases; "" for any answer
	lines  []int     // other than answer: the lines that one location may begin in
	either bool      // an answer is as good as the code
	kept   bool      // the instance lives on, although the code is that of a fault
	more   func(t *testing.T, result seam.Result)
}

// Codes in short.
const (
	failed    = seam.CodeProviderFailed
	malformed = seam.CodeMalformedResponse
	late      = seam.CodeTimeout
)

// fresh reports whether the error costs the instance its life.
func (q question) fresh(err error) bool {
	code := seam.CodeOf(err)
	return (code == failed || code == late || code == seam.CodeInternal) && !q.kept
}

// shortly is for modules that run into the limit of a call: nobody wants to wait.
func shortly(c *sandbox.Config) { c.Limits.CallTimeout = 60 * time.Millisecond }

func loadShortly(c *sandbox.Config) { c.Limits.LoadTimeout = 60 * time.Millisecond }

// setting is for modules that read a text from their config.
func setting(text string, more ...func(*sandbox.Config)) func(*sandbox.Config) {
	return func(c *sandbox.Config) {
		c.Settings, _ = json.Marshal(text)
		for _, set := range more {
			set(c)
		}
	}
}

func calls(code seam.Code, modules ...string) []hostile {
	var cases []hostile
	for _, module := range modules {
		cases = append(cases, hostile{module: module, asks: []question{{code: code}}})
	}
	return cases
}

// hostileConfig has limits that only a case exceeds, and grants all that there is to grant.
func hostileConfig(module, engine string) sandbox.Config {
	c := configOf(filepath.Join("testdata", "hostile", module+".wasm"), engine)
	c.Limits.MemoryBytes = 128 << 20
	c.Limits.Instances = 1
	c.Limits.Locations = 10_000
	c.Circuit.Failures = 1 << 30
	c.Settings = json.RawMessage(`{"a":1}`)
	c.Grants = sandbox.Grants{
		Workspace:  true,
		CacheBytes: 1 << 20,
		HTTP:       []egress.Rule{{URL: "https://nothing.example/"}},
	}
	return c
}

// requireHarmless runs the cases on every engine: each comes to its named end, the process
// lives and holds no more than before, and the next query is answered.
func requireHarmless(t *testing.T, cases []hostile) {
	t.Helper()
	requireHarmlessIn(t, hostileRoot, cases)
}

// requireHarmlessIn is requireHarmless in a workspace of a certain kind.
func requireHarmlessIn(t *testing.T, workspace func(*testing.T) string, cases []hostile) {
	t.Helper()
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		root := workspace(t)
		for _, c := range cases {
			t.Run(c.module+strings.ReplaceAll(c.as, "/", "|"), func(t *testing.T) { c.run(t, h, engine, root) })
		}
	})
}

// hostileRoot has a document with a line for each question.
func hostileRoot(t *testing.T) string {
	return folderWith(t, map[string]string{"a.toy": strings.Repeat("hello\n", 20)})
}

func (c hostile) run(t *testing.T, h *heart, engine, root string) {
	config := hostileConfig(c.module, engine)
	if c.config != nil {
		c.config(&config)
	}
	round := func(times int) func() {
		return func() {
			provider, err := sandbox.New(t.Context(), config, files())
			if c.unborn && seam.CodeOf(err) == seam.CodeInvalidConfig {
				return
			}
			require.NoError(t, err)
			defer closeProvider(t, provider)
			for range times {
				for _, q := range c.asks {
					err := q.ask(t, provider, root, min(config.Limits.CallTimeout, config.Limits.LoadTimeout))
					if !c.unborn {
						q.askAgain(t, provider, root, err)
					}
				}
			}
		}
	}
	h.requireAlive(t, round(1)) // what comes about once is no leak
	before := footprintNow()
	many := repetitions(max(c.weight, 1))
	h.requireAlive(t, round(many))
	h.requireAlive(t, func() {
		for range max(many/20, 1) {
			round(1)()
		}
	})
	requireBack(t, before)
}

// ask asks and judges what came of it.
func (q question) ask(t *testing.T, provider *sandbox.Provider, root string, within time.Duration) error {
	t.Helper()
	began := time.Now()
	result, err := seam.Ask(t.Context(), provider, q.op, target(root, "a.toy", q.line, q.character))
	if q.code == late {
		require.Less(t, time.Since(began), within+leeway(), "the deadline")
	}
	switch where := q.where(); {
	case q.either && err == nil:
	case q.code != "":
		require.Equal(t, q.code, seam.CodeOf(err), "%s: %v %v", where, result, err)
		require.Contains(t, err.Error(), q.says, where)
		if q.limit != "" {
			require.Equal(t, "modules.toy.limits."+q.limit, seam.AsError(err).Limit, where)
		}
	default:
		require.NoError(t, err, where)
		q.judge(t, result, where)
	}
	return err
}

// leeway is how much later than its deadline something may be on a busy machine.
func leeway() time.Duration {
	if underRace() {
		return 15 * time.Second
	}
	return 3 * time.Second
}

// askAgain asks what a healthy instance answers: a fresh one after a fault, else the same.
func (q question) askAgain(t *testing.T, provider *sandbox.Provider, root string, err error) {
	t.Helper()
	instance := "1:0-1:0"
	if q.fresh(err) {
		instance = "0:0-1:0"
	}
	require.Equal(t, instance, probe(t, provider, root), "%s: the next query", q.where())
}

func (q question) where() string { return fmt.Sprintf("%s %d:%d", q.op, q.line, q.character) }

func (q question) judge(t *testing.T, result seam.Result, where string) {
	t.Helper()
	if q.more != nil {
		q.more(t, result)
	}
	if locations, ok := result.(seam.Locations); ok && q.lines != nil {
		require.Len(t, locations.Items, 1, where)
		require.Contains(t, q.lines, locations.Items[0].Range.Start.Line, where)
	}
	if q.answer != "" {
		require.Equal(t, q.answer, saidAs(result), where)
	}
}

// probe asks what tells a fresh instance from a used one.
func probe(t *testing.T, provider *sandbox.Provider, root string) string {
	t.Helper()
	for attempt := 1; ; attempt++ {
		result, err := seam.Ask(t.Context(), provider, seam.OpFindReferences, target(root, "a.toy", 0, 0))
		if seam.CodeOf(err) == late && attempt < 10 { // the limit is short, and the machine busy
			continue
		}
		require.NoError(t, err)
		return saidAs(result)
	}
}

// got is how the modules hand over the result of an import.
func got(result int) string {
	if result < 0 {
		return fmt.Sprintf("%d:1-%d:1", -result, -result)
	}
	return fmt.Sprintf("%d:0-%d:0", result, result)
}

func TestHostileTraps(t *testing.T) {
	requireHarmless(t, append(
		calls(failed, "trap_unreachable", "trap_division", "trap_memory", "trap_table", "trap_signature",
			"exit_0", "exit_1",
			"navigation_hover", "navigation_hover_range",
			"utf8_message", "utf8_log", "utf8_location", "utf8_file_open", "utf8_http_url"),
		hostile{module: "trap_stack", weight: 5, asks: []question{{code: failed}}},
		hostile{module: "trap_stack_wide", weight: 5, asks: []question{{code: failed}}},
		hostile{module: "trap_stack_table", weight: 5, asks: []question{{code: failed}}},
		hostile{module: "trap_stderr", asks: []question{{code: failed, says: "goodbye cruel world"}}},
		hostile{module: "hover_locations", asks: []question{{op: seam.OpHover, code: failed}}},
		hostile{module: "utf8_hover", asks: onLines(5, question{op: seam.OpHover, code: failed})},
	))
}

func onLines(n int, q question) []question {
	questions := make([]question, n)
	for i := range questions {
		questions[i] = q
		questions[i].line = i
	}
	return questions
}

func TestHostileRunaways(t *testing.T) {
	var cases []hostile
	for _, module := range []string{
		"loop_forever", "loop_calls", "recursion", "recursion_table", "memory_fill", "memory_copy",
		"sleep_forever", "random_flood", "log_endless", "source_endless",
	} {
		cases = append(cases, hostile{module: module, config: shortly, weight: 5, asks: []question{{code: late, limit: "callTimeoutMs"}}})
	}
	cases = append(cases, hostile{module: "sleep_once", weight: 5, asks: []question{{code: late, either: true}}, config: func(c *sandbox.Config) {
		c.Limits.CallTimeout = 300 * time.Millisecond // of which 30 are left: not much on a busy machine
	}})
	requireHarmless(t, cases)
}

// The caller's deadline stops a module too, and nobody blames it.
func TestHostileRunawayUnderTheCallersDeadline(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		provider := provide(t, hostileConfig("recursion", engine))
		root := hostileRoot(t)
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			began := time.Now()
			_, err := seam.Ask(ctx, provider, seam.OpGoToDefinition, target(root, "a.toy", 0, 0))
			cancel()
			require.Equal(t, late, seam.CodeOf(err), "%v", err)
			require.Empty(t, seam.AsError(err).Limit)
			require.Less(t, time.Since(began), 100*time.Millisecond+leeway())
		}
		require.Zero(t, provider.Status().Workspaces[0].Failures)
		require.Equal(t, "0:0-1:0", probe(t, provider, root))
	})
}

func TestHostileStarts(t *testing.T) {
	var cases []hostile
	for _, stage := range []string{"start", "initialize", "load"} {
		for _, what := range []string{"trap", "exit", "locations", "path"} {
			cases = append(cases, unborn(stage+"_"+what, failed, ""))
		}
		for _, what := range []string{"loop", "recursion", "sleep"} {
			late := unborn(stage+"_"+what, late, "loadTimeoutMs")
			late.config, late.weight = loadShortly, 5
			cases = append(cases, late)
		}
	}
	for _, what := range []string{"config", "message", "file", "http", "cache"} {
		cases = append(cases, unborn("initialize_"+what, failed, ""))
	}
	for _, what := range []string{"hover", "hover_range", "incomplete", "language", "source", "source_size", "status_1", "status_77", "status_minus_1"} {
		cases = append(cases, unborn("load_"+what, failed, ""))
	}
	absent := unborn("load_status_2", seam.CodeUnavailable, "")
	broken := unborn("load_status_3", failed, "")
	absent.asks[0].says, broken.asks[0].says = "the index is missing", "the index is missing"
	cases = append(cases, absent, broken)
	requireHarmless(t, cases)
}

// unborn is a module of which no instance comes to be, however often it is asked.
func unborn(module string, code seam.Code, limit string) hostile {
	return hostile{module: module, unborn: true, asks: []question{{code: code, limit: limit}}}
}

func TestHostileAnswers(t *testing.T) {
	cases := calls(malformed, "range_line", "range_character", "range_huge", "range_huge_end", "location_nul")
	cases = append(
		cases,
		hostile{module: "range_largest", asks: []question{{answer: "0:0-2147483647:2147483647"}}},
		hostile{module: "hover_range_reversed", asks: []question{{op: seam.OpHover, code: malformed}}},
		hostile{module: "hover_range_huge", asks: []question{{op: seam.OpHover, code: malformed}}},
		hostile{module: "status", asks: []question{
			{line: 1, code: seam.CodeUnsupportedOperation, says: "because"},
			{line: 2, code: seam.CodeUnavailable, says: "because"},
			{line: 3, code: failed, says: "because", kept: true},
			{line: 4, code: malformed},
			{line: 0x7fffffff, code: malformed},
			{line: 1, character: 1, code: malformed}, // -1
			{line: 0x7fffffff, character: 1, code: malformed},
		}},
	)
	for path, code := range map[string]seam.Code{
		"a.toy":                 "",
		"sub/../a.toy":          "",
		"..a.toy":               "",
		"%2e%2e/a.toy":          "", // nothing is decoded
		"file:a.toy":            "", // no //, so that is a name
		"https://example.com/a": "",
		"":                      malformed,
		"..":                    malformed,
		"../a.toy":              malformed,
		"sub/../../a.toy":       malformed,
		"/etc/passwd":           malformed,
		"//etc/passwd":          malformed,
		`sub\a.toy`:             malformed,
		"file:///etc/passwd":    malformed,
		"FILE:///etc/passwd":    malformed,
		"file:///%2e%2e/etc":    malformed,
		"file://localhost/etc":  malformed,
		"file://server/share":   malformed,
		"file://":               malformed,
	} {
		cases = append(cases, hostile{module: "location_path", as: " " + path, config: setting(path), asks: []question{{code: code}}})
	}
	requireHarmless(t, cases)
}

func TestHostileFloods(t *testing.T) {
	incomplete := func(items int) func(*testing.T, seam.Result) {
		return func(t *testing.T, result seam.Result) {
			locations := result.(seam.Locations)
			require.Len(t, locations.Items, items)
			require.Equal(t, seam.Incomplete, locations.Completeness)
		}
	}
	requireHarmless(t, []hostile{
		{module: "locations_10m", weight: 10, asks: []question{{more: incomplete(10_000)}}},
		{module: "locations_same", weight: 20, asks: []question{{answer: got(0)}}},
		{module: "locations_long_paths", weight: 10, asks: []question{{more: func(t *testing.T, result seam.Result) {
			require.Empty(t, result.(seam.Locations).Items, "not one of them is within the limits")
			require.Equal(t, seam.Incomplete, result.(seam.Locations).Completeness)
		}}}},
		{module: "locations_long_path", weight: 20, asks: []question{{code: late, either: true}}, config: func(c *sandbox.Config) {
			c.Limits.CallTimeout = 2 * time.Second
		}},
		{module: "hover_64m", weight: 10, asks: []question{{op: seam.OpHover, more: func(t *testing.T, result seam.Result) {
			hover := result.(seam.HoverResult)
			require.LessOrEqual(t, len(hover.Hover.Contents), 4<<20)
			require.Equal(t, seam.Incomplete, hover.Completeness)
		}}}},
		{module: "message_64m", weight: 10, asks: []question{{code: failed, says: "aaa", kept: true}}},
		{module: "log_64m", weight: 10, asks: []question{{answer: "nothing"}}},
		{module: "log_flood", weight: 5, asks: []question{{answer: "nothing"}}},
		{module: "stdout_flood", weight: 5, asks: []question{{answer: "nothing"}}},
		{module: "stderr_flood", weight: 5, asks: []question{{answer: "nothing"}}},
		{module: "stdout_line", weight: 10, asks: []question{{answer: "nothing"}}},
		{module: "memory_grow", weight: 5, asks: []question{{answer: got(128 << 20 >> 16)}}},
		{module: "memory_grow_huge", asks: []question{{answer: got(-1)}}},
		{module: "table_grow_huge", asks: []question{{answer: got(-1)}}},
		{module: "table_grow", weight: 10, asks: []question{{more: func(t *testing.T, result seam.Result) {
			size := result.(seam.Locations).Items[0].Range.Start
			require.Zero(t, size.Character)
			require.LessOrEqual(t, size.Line, 1<<20)
		}}}},
		{module: "cache_big", asks: []question{{answer: got(-3)}}},
		{module: "cache_key", asks: []question{{answer: got(-3)}}},
		{module: "cache_flood", weight: 10, asks: []question{{answer: got(0)}}},
		{module: "cache_flood_empty", weight: 10, asks: []question{{answer: got(0)}}},
	})
}
