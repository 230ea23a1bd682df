package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// querier answers as its test says, and remembers what it was asked.
type querier struct {
	asked  []seam.Request
	answer func(ctx context.Context, request seam.Request) (seam.Result, error)
}

func (q *querier) Query(ctx context.Context, request seam.Request) (seam.Result, error) {
	q.asked = append(q.asked, request)
	return q.answer(ctx, request)
}

func says(result seam.Result) *querier {
	return &querier{answer: func(context.Context, seam.Request) (seam.Result, error) { return result, nil }}
}

func fails(err error) *querier {
	return &querier{answer: func(context.Context, seam.Request) (seam.Result, error) { return nil, err }}
}

// folder is a workspace, by its real path, with these files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return root
}

// in is a location in a workspace.
func in(root, name string, line, character int) seam.Location {
	return at(workspace.FileURI(filepath.Join(root, filepath.FromSlash(name))), line, character)
}

func answerOf(root string, items ...seam.Location) seam.Locations {
	return seam.Locations{Items: items, WorkspaceURI: workspace.FileURI(root)}
}

// toolOf is a tool that is closed at the end of the test.
func toolOf(t testing.TB, q Querier, c Config) *Tool {
	tool := New(q, c)
	t.Cleanup(tool.Close)
	return tool
}

func call(operation, file string, line int, more string) json.RawMessage {
	name, _ := json.Marshal(file)
	return json.RawMessage(fmt.Sprintf(`{"operation":%q,"file_path":%s,"line":%d,%s}`, operation, name, line, more))
}

// counted from one outside and from zero inside. A call is one query, with nothing
// in it that was not given.
func TestCallIsOneQuery(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n\nfunc Run() { Run() }\n"})
	var many []seam.Location
	for i := range 500 {
		many = append(many, in(root, "a.go", 2, i))
	}
	q := says(answerOf(root, many...))
	tool := toolOf(t, q, Config{Snippets: true})
	answer := tool.Call(t.Context(), []string{root}, call("findReferences", " a.go", 3, `"character":6`))
	require.False(t, answer.Failed, answer.Text)
	require.Equal(t, []seam.Request{{
		Operation: seam.OpFindReferences, FilePath: " a.go", Position: seam.Position{Line: 2, Character: 5}, WorkspaceRoot: root,
	}}, q.asked)
	require.Equal(t, "a.go:3:1: func Run() { Run() }", strings.Split(answer.Text, "\n")[0])
	require.Equal(t, 100, answer.Meta.Shown)
	require.Equal(t, 500, answer.Meta.Total)
}

func TestCallWithSymbol(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n\nfunc Run() { Run(); x.Run() }\n"})
	for more, test := range map[string]struct {
		character int
		says      string
	}{
		`"symbol":"Run"`:                {5, "Run is at line 3, column 6; there are 2 others on that line.\n"},
		`"symbol":"Run","character":0`:  {5, "Run is at line 3, column 6"},
		`"symbol":"Run","character":13`: {13, "Run is at line 3, column 14"},
		`"symbol":"x.Run"`:              {22, "Run is at line 3, column 23"},
	} {
		q := says(answerOf(root, in(root, "a.go", 0, 0)))
		answer := toolOf(t, q, Config{}).Call(t.Context(), []string{root}, call("goToDefinition", "a.go", 3, more))
		require.True(t, strings.HasPrefix(answer.Text, test.says), answer.Text)
		require.Len(t, q.asked, 1)
		require.Equal(t, seam.Position{Line: 2, Character: test.character}, q.asked[0].Position)
	}
}

// What the file has decides; nobody is asked then.
func TestCallWithSymbolThatIsNotThere(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "a\nb a\n", "binary": "\x00"})
	for name, test := range map[string]struct {
		arguments json.RawMessage
		code      seam.Code
		says      string
	}{
		"elsewhere":     {call("hover", "a.go", 1, `"symbol":"b"`), seam.CodeInvalidArgs, `"b" is not on line 1: it is on line 2`},
		"past the text": {call("hover", "a.go", 9, `"symbol":"b"`), seam.CodeInvalidArgs, "line 9 is outside the text, which has 3 lines"},
		"no file":       {call("hover", "gone", 1, `"symbol":"b"`), seam.CodeSourceRejected, "was not found"},
		"no text":       {call("hover", "binary", 1, `"symbol":"b"`), seam.CodeSourceRejected, "is not text"},
		"outside":       {call("hover", "../x", 1, `"symbol":"b"`), seam.CodeSourceRejected, ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := says(nil)
			answer := toolOf(t, q, Config{}).Call(t.Context(), []string{root}, test.arguments)
			require.True(t, answer.Failed)
			require.Equal(t, test.code, answer.Meta.Error.Code)
			require.True(t, strings.HasPrefix(answer.Text, string(test.code)+": "), answer.Text)
			require.Contains(t, answer.Text, test.says)
			require.Empty(t, q.asked)
		})
	}
}

// without a workspace nobody is asked, and the arguments are judged before.
func TestCallWithoutWorkspace(t *testing.T) {
	q := says(nil)
	tool := toolOf(t, q, Config{})
	answer := tool.Call(t.Context(), nil, call("hover", "a.go", 1, `"character":1`))
	require.Equal(t, seam.CodeWorkspaceRequired, answer.Meta.Error.Code)
	require.Equal(t, seam.ReasonMissing, answer.Meta.Error.Reason)
	answer = tool.Call(t.Context(), nil, call("hover", "a.go", 0, `"character":1`))
	require.Equal(t, seam.CodeInvalidArgs, answer.Meta.Error.Code)
	answer = tool.Call(t.Context(), []string{filepath.Join(t.TempDir(), "gone")}, call("hover", "a.go", 1, `"symbol":"x"`))
	require.Equal(t, seam.CodeWorkspaceRequired, answer.Meta.Error.Code)
	require.Empty(t, q.asked)
}

// every failure has a code, in the text and for machines.
func TestCallFails(t *testing.T) {
	root := folder(t, nil)
	for name, test := range map[string]struct {
		err  error
		code seam.Code
		text string
	}{
		"coded":             {seam.Errorf(seam.CodeUnavailable, "no provider serves it"), seam.CodeUnavailable, "LSP_UNAVAILABLE: no provider serves it"},
		"without a code":    {errors.New("what"), seam.CodeInternal, "LSP_INTERNAL: what"},
		"a server's own":    {&seam.Error{Code: seam.CodeProviderFailed, Message: "it said \x1b[2J\u202e"}, seam.CodeProviderFailed, `LSP_PROVIDER_FAILED: it said \x1b[2J\u202e`},
		"a cancelled query": {context.Canceled, seam.CodeCancelled, "LSP_CANCELLED: the query was cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := toolOf(t, fails(test.err), Config{}).Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`))
			require.True(t, answer.Failed)
			require.Equal(t, test.code, answer.Meta.Error.Code)
			require.Equal(t, test.text, answer.Text)
			require.Equal(t, "hover", answer.Meta.Operation)
		})
	}
	long := seam.Errorf(seam.CodeProviderFailed, "%s", strings.Repeat("😀", 9_000))
	require.LessOrEqual(t, seam.UTF16Len(toolOf(t, fails(long), Config{}).Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`)).Text), 4_000)
	require.Equal(t, "LSP_PROVI…", toolOf(t, fails(long), Config{MaxResultChars: 10}).Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`)).Text)
}

// A column past the end of its line was mostly miscounted: the names of the line help.
func TestCallPastTheLine(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "x := y\n"})
	past := seam.CheckPosition("x := y\n", seam.Position{Character: 98})
	answer := toolOf(t, fails(past), Config{}).Call(t.Context(), []string{root}, call("hover", "a.go", 1, `"character":99`))
	require.Equal(t, "LSP_INVALID_ARGS: character 99 is outside line 1, which has 6 characters: use 1 to 7 (counted from 1, in UTF-16 units). "+
		"The names on line 1, with their characters: x at 1, y at 6.", answer.Text)
	past = seam.CheckPosition("x := y\n", seam.Position{Line: 8})
	answer = toolOf(t, fails(past), Config{}).Call(t.Context(), []string{root}, call("hover", "a.go", 9, `"character":1`))
	require.Equal(t, "LSP_INVALID_ARGS: line 9 is outside the text, which has 2 lines (counted from 1)", answer.Text)
}

// Some servers say by an error that there is no symbol. What they were asked about is told
// beside it, and their own error stays.
func TestCallThatAServerRefuses(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "x := y\n"})
	own := &seam.ServerError{Code: 7, Message: "no identifier found"}
	refused := fails(&seam.Error{Code: seam.CodeProviderFailed, Message: "server said no identifier found", Err: own})
	for more, says := range map[string]string{
		`"character":4`: "Line 1, character 4 is not on a symbol. The names on line 1, with their characters: x at 1, y at 6.",
		`"character":6`: "y at line 1, character 6 is meant.",
		`"symbol":"y"`:  "y is at line 1, column 6.",
	} {
		answer := toolOf(t, refused, Config{}).Call(t.Context(), []string{root}, call("hover", "a.go", 1, more))
		require.Equal(t, "LSP_PROVIDER_FAILED: server said no identifier found. "+says, answer.Text)
		require.ErrorIs(t, answer.Meta.Error, own)
	}
	answer := toolOf(t, refused, Config{}).Call(t.Context(), []string{root}, call("hover", "gone.go", 1, `"character":4`))
	require.Equal(t, "LSP_PROVIDER_FAILED: server said no identifier found", answer.Text)
}

// A bug is an answer too.
func TestCallSurvivesBugs(t *testing.T) {
	root := folder(t, nil)
	bug := &querier{answer: func(context.Context, seam.Request) (seam.Result, error) { panic("a slip") }}
	for _, q := range []*querier{bug, says(nil)} {
		answer := toolOf(t, q, Config{}).Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`))
		require.True(t, answer.Failed)
		require.Equal(t, seam.CodeInternal, answer.Meta.Error.Code)
		require.Contains(t, answer.Text, "LSP_INTERNAL: a bug of navseam, please report it: ")
	}
}

func waits() *querier {
	return &querier{answer: func(ctx context.Context, _ seam.Request) (seam.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
}

// the caller's cancel reaches the seam.
func TestCallIsCancelled(t *testing.T) {
	root := folder(t, nil)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		tool := New(waits(), Config{})
		go func() {
			time.Sleep(time.Second)
			cancel(&seam.Error{Code: seam.CodeCancelled, Message: "the client went away"})
		}()
		answer := tool.Call(ctx, []string{root}, call("hover", "a", 1, `"character":1`))
		require.Equal(t, seam.CodeCancelled, answer.Meta.Error.Code)
		require.Equal(t, "LSP_CANCELLED: the client went away", answer.Text)
	})
}

// a call has its time, and says which limit passed. A shorter deadline of the caller
// is no limit of ours.
func TestCallTakesTooLong(t *testing.T) {
	root := folder(t, nil)
	synctest.Test(t, func(t *testing.T) {
		tool := New(waits(), Config{Timeout: 5 * time.Second})
		begun := time.Now()
		answer := tool.Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`))
		require.Equal(t, 5*time.Second, time.Since(begun))
		require.Equal(t, seam.CodeTimeout, answer.Meta.Error.Code)
		require.Equal(t, "tool.timeoutMs", answer.Meta.Error.Limit)
		require.True(t, answer.Meta.Error.Retryable)
		require.ErrorIs(t, answer.Meta.Error, context.DeadlineExceeded)
		require.Contains(t, answer.Text, "LSP_TIMEOUT: there was no answer within 5s: ")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		answer = tool.Call(ctx, []string{root}, call("hover", "a", 1, `"character":1`))
		require.Equal(t, seam.CodeTimeout, answer.Meta.Error.Code)
		require.Empty(t, answer.Meta.Error.Limit)

		begun = time.Now()
		New(waits(), Config{}).Call(t.Context(), []string{root}, call("hover", "a", 1, `"character":1`))
		require.Equal(t, time.Minute, time.Since(begun), "the default")
	})
}

// The workspace is the one that the file is of.
func TestRoots(t *testing.T) {
	base := folder(t, map[string]string{"one/a.go": "x", "two/b.go": "x", "two/in/a.go": "x", "two/in/b.go": "x"})
	one, two, inner := filepath.Join(base, "one"), filepath.Join(base, "two"), filepath.Join(base, "two", "in")
	linked := filepath.Join(base, "linked")
	if err := os.Symlink(two, linked); err != nil {
		t.Skipf("links need a permission here: %v", err)
	}
	for name, test := range map[string]struct {
		roots []string
		file  string
		want  string
	}{
		"the only one":                {[]string{one}, "b.go", one},
		"the first that has the file": {[]string{one, two}, "b.go", two},
		"the first of two":            {[]string{two, inner}, "b.go", two},
		"none has it":                 {[]string{one, two}, "c.go", one},
		"a root that is gone":         {[]string{filepath.Join(base, "gone"), two}, "b.go", two},
		"by way of the folder above":  {[]string{one, two}, "../two/b.go", two},
		"absolute":                    {[]string{one, two}, filepath.Join(two, "b.go"), two},
		"absolute, the deepest":       {[]string{two, inner}, filepath.Join(inner, "a.go"), inner},
		"absolute, gone":              {[]string{one, two}, filepath.Join(two, "gone.go"), two},
		"absolute, in none":           {[]string{one, two}, filepath.Join(base, "x.go"), one},
		"a longer name is no part":    {[]string{inner, one}, inner + "x", inner},
		"dots in a name":              {[]string{one, two}, filepath.Join(two, "..b.go"), two},
		"absolute, by a link":         {[]string{one, two}, filepath.Join(linked, "b.go"), two},
		"a link to a root":            {[]string{one, linked}, filepath.Join(two, "b.go"), linked},
	} {
		t.Run(name, func(t *testing.T) {
			q := says(seam.HoverResult{Hover: &seam.Hover{Contents: "x"}})
			answer := toolOf(t, q, Config{}).Call(t.Context(), test.roots, call("hover", test.file, 1, `"character":1`))
			require.False(t, answer.Failed, answer.Text)
			require.Equal(t, test.want, q.asked[0].WorkspaceRoot)
			require.Equal(t, test.file, q.asked[0].FilePath)
		})
	}
}
