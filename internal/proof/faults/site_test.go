package faults

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// document is the text that the questions are about.
const document = "alpha beta\ngamma\n😀 delta\n"

// patient is how long a test waits for what must happen.
const patient = 60 * time.Second

// site is a host with the server of one row, and a workspace with one document.
type site struct {
	t    *testing.T
	row  row
	dir  string
	log  string
	host *host.Host
}

// answer is what came of a question.
type answer struct {
	result seam.Result
	err    error
}

// onSite opens a host for a row, lets use have it, and closes it: then nothing may be left.
func onSite(t *testing.T, r row, use func(*site)) {
	t.Helper()
	label := t.Name()
	pprof.Do(t.Context(), pprof.Labels("site", label), func(ctx context.Context) {
		s := open(t, r)
		defer s.nothingLeft(label)
		defer func() {
			closing, cancel := context.WithTimeout(context.Background(), patient)
			defer cancel()
			require.NoError(t, s.host.Close(closing))
		}()
		use(s)
	})
}

func open(t *testing.T, r row) *site {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := &site{t: t, row: r, dir: dir, log: filepath.Join(t.TempDir(), "log")}
	text := document + strings.Repeat("padding\n", r.DocumentBytes/len("padding\n"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.txt"), []byte("another file\n"), 0o600))
	program, err := os.Executable()
	require.NoError(t, err)
	options := host.Options{Supervisor: []string{program, "supervise"}, CacheDir: t.TempDir()}
	s.host, err = host.Open(context.Background(), s.config(), options)
	require.NoError(t, err)
	return s
}

// config is the row's, for a server whose first answer counts where it does not say otherwise.
func (s *site) config() host.Config {
	s.t.Helper()
	entry := map[string]any{
		"command":             "the test",
		"extensionToLanguage": map[string]any{".txt": "plaintext"},
		"freshness":           map[string]any{"settleMs": 0},
	}
	for key, value := range s.row.Config {
		entry[key] = value
	}
	text, err := json.Marshal(map[string]any{"servers": map[string]any{"fake": entry}}) // which is YAML too
	require.NoError(s.t, err)
	config, err := host.Parse(host.Source{Name: s.row.name, Data: text})
	require.NoError(s.t, err)
	script := s.row.Server
	script.Log = s.log
	server := config.Servers["fake"]
	server.Command, server.Args, err = fakeserver.Command(script)
	require.NoError(s.t, err)
	config.Servers["fake"] = server
	return config
}

// ask asks the row's question.
func (s *site) ask(within time.Duration) answer {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	result, err := s.host.Query(ctx, seam.Request{
		Operation: operations()[s.row.Ask], FilePath: "a.txt", WorkspaceRoot: s.dir,
	})
	return answer{result, err}
}

// start has the server started, so that a short deadline is for the question alone.
func (s *site) start() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	require.NoError(s.t, s.host.Start(ctx, "fake", s.dir))
}

// fill puts the values of the placeholders into an expected text.
func (s *site) fill(text string) string {
	root := workspace.FileURI(s.dir)
	return strings.NewReplacer("$root", root, "$uri", root+"/a.txt").Replace(text)
}

func (s *site) events(method string) []fakeserver.Event {
	s.t.Helper()
	all, err := fakeserver.ReadLog(s.log)
	require.NoError(s.t, err)
	var events []fakeserver.Event
	for _, e := range all {
		if e.Method == method {
			events = append(events, e)
		}
	}
	return events
}

// nothingLeft finds no process of the server, none of its helpers, and no goroutine that was
// begun for the site.
func (s *site) nothingLeft(label string) {
	s.t.Helper()
	for _, e := range append(s.events("start"), s.events("helper")...) {
		require.False(s.t, fakeserver.Running(e.PID), "process %d of %s is left", e.PID, s.row.name)
	}
	var left string
	for deadline := time.Now().Add(patient); ; time.Sleep(10 * time.Millisecond) {
		if left = goroutines(label); left == "" {
			break
		}
		require.True(s.t, time.Now().Before(deadline), "goroutines are left:\n%s", left)
	}
	for _, e := range s.events("violation") {
		require.Fail(s.t, "the client broke the protocol", "%s", e.Params)
	}
}

// goroutines gives the stacks of those with the label of a site, but for the test's own.
// Whoever is begun inherits the labels of who began it.
func goroutines(label string) string {
	var profile strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return err.Error()
	}
	var left []string
	for _, stack := range strings.Split(profile.String(), "\n\n") {
		if strings.Contains(stack, `"site":"`+label+`"`) && !strings.Contains(stack, "faults.goroutines") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// What looks for goroutines finds those of a host and of its servers, which are there until it
// is closed.
func TestGoroutinesAreFound(t *testing.T) {
	onSite(t, row{Ask: "hover"}, func(s *site) {
		require.NoError(t, s.ask(patient).err)
		require.Contains(t, goroutines(t.Name()), "langserver")
		require.Empty(t, goroutines("another"))
		require.True(t, fakeserver.Running(s.events("start")[0].PID))
	})
}
