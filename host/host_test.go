package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/seam"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	if len(os.Args) > 1 && os.Args[1] == "supervise" {
		os.Exit(process.Supervise(os.Args[2:]))
	}
	fakeserver.Main()
	os.Exit(m.Run())
}

// fake configures a scripted server for an extension.
func fake(t *testing.T, extension string, script fakeserver.Script) host.Server {
	t.Helper()
	path, args, err := fakeserver.Command(script)
	require.NoError(t, err)
	server := host.DefaultServer()
	server.Command, server.Args = path, args
	server.ExtensionToLanguage = map[string]string{extension: "fake"}
	return server
}

func config(servers map[string]host.Server) host.Config {
	c := host.DefaultConfig()
	c.Servers = servers
	return c
}

func open(t *testing.T, c host.Config) *host.Host {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	h, err := host.Open(t.Context(), c, host.Options{Supervisor: []string{path, "supervise"}, CacheDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close(context.Background())) })
	return h
}

// folder makes a workspace of files with these names.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("text\n"), 0o600))
	}
	return dir
}

func hover(h *host.Host, dir, name string) (string, error) {
	result, err := h.Query(context.Background(), seam.Request{Operation: seam.OpHover, FilePath: name, WorkspaceRoot: dir})
	if err != nil {
		return "", err
	}
	return result.(seam.HoverResult).Hover.Contents, nil
}

func says(text string) fakeserver.Script {
	return fakeserver.Script{On: map[string][]fakeserver.Action{
		"textDocument/hover": {{Result: fakeserver.Raw(`{"contents":"` + text + `"}`)}},
	}}
}

func logged(script fakeserver.Script, t *testing.T) (fakeserver.Script, func() int) {
	script.Log = filepath.Join(t.TempDir(), "log")
	return script, func() int {
		events, err := fakeserver.ReadLog(script.Log)
		require.NoError(t, err)
		return fakeserver.Count(events, "start")
	}
}

// any number of servers, each started by its first query.
func TestServersOfOneHost(t *testing.T) {
	scriptA, startsA := logged(says("a"), t)
	scriptB, startsB := logged(says("b"), t)
	h := open(t, config(map[string]host.Server{"a": fake(t, ".a", scriptA), "b": fake(t, ".b", scriptB)}))
	dir := folder(t, "x.a", "x.b")
	require.Zero(t, startsA()+startsB())
	text, err := hover(h, dir, "x.a")
	require.NoError(t, err)
	require.Equal(t, "a", text)
	require.Equal(t, 1, startsA())
	require.Zero(t, startsB())
	text, err = hover(h, dir, "x.b")
	require.NoError(t, err)
	require.Equal(t, "b", text)
	_, err = hover(h, dir, "x.c")
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.ErrorContains(t, err, "x.c")
	status := h.Status()
	require.Len(t, status.Providers, 2)
	require.Equal(t, "a", status.Providers[0].ID)
	require.Len(t, status.Providers[0].Server.Workspaces, 1)
}

// one bad entry and there is no host; every bad one is told.
func TestAllOrNothing(t *testing.T) {
	good := fake(t, ".a", says("a"))
	gone, gone2 := good, good
	gone.Command, gone.ExtensionToLanguage = "navseam-no-such-program", map[string]string{".b": "b"}
	gone2.Command, gone2.ExtensionToLanguage = "navseam-nor-this", map[string]string{".c": "c"}
	c := config(map[string]host.Server{"good": good, "gone": gone, "gone2": gone2})
	_, err := host.Open(t.Context(), c, host.Options{})
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	require.ErrorContains(t, err, `server "gone"`)
	require.ErrorContains(t, err, `server "gone2"`)

	c.Lenient = true
	h := open(t, c)
	text, err := hover(h, folder(t, "x.a"), "x.a")
	require.NoError(t, err)
	require.Equal(t, "a", text)
	_, err = hover(h, folder(t, "x.b"), "x.b")
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.ErrorContains(t, err, "navseam-no-such-program")
	for _, p := range h.Status().Providers {
		require.Equal(t, p.ID != "good", p.Err != nil, p.ID)
	}
}

// entries that claim the same extension conflict, and none is registered; with
// lenient the first by id has it.
func TestConflictingEntries(t *testing.T) {
	c := config(map[string]host.Server{"a": fake(t, ".x", says("a")), "b": fake(t, ".X", says("b"))})
	_, err := host.Open(t.Context(), c, host.Options{})
	require.Equal(t, seam.CodeConflict, seam.CodeOf(err))
	require.ErrorContains(t, err, ".x")
	c.Lenient = true
	text, err := hover(open(t, c), folder(t, "f.x"), "f.x")
	require.NoError(t, err)
	require.Equal(t, "a", text)
}

// the executable is found once, at load, on the PATH that the server will have.
func TestExecutableIsFoundAtLoad(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script is no executable on Windows")
	}
	bin := t.TempDir()
	tool := filepath.Join(bin, "navseam-test-tool")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700))
	server := fake(t, ".a", fakeserver.Script{})
	server.Command, server.Args, server.Env = "navseam-test-tool", nil, map[string]string{"PATH": bin}
	h := open(t, config(map[string]host.Server{"a": server}))
	require.Equal(t, tool, h.Status().Providers[0].Server.Executable)
	require.NoError(t, os.Remove(tool))
	_, err := hover(h, folder(t, "x.a"), "x.a") // gone since
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
	require.ErrorContains(t, err, "no such file")
}

// A reload is one step, keeps what did not change warm, and drains what it replaces.
func TestReload(t *testing.T) {
	kept, keptStarts := logged(says("kept"), t)
	slow := says("old")
	slow.On["textDocument/hover"][0].DelayMS = 500
	old, oldStarts := logged(slow, t)
	c := config(map[string]host.Server{"kept": fake(t, ".k", kept), "changed": fake(t, ".c", old), "removed": fake(t, ".r", says("r"))})
	h := open(t, c)
	dir := folder(t, "x.k", "x.c", "x.r", "x.n")
	_, err := hover(h, dir, "x.k")
	require.NoError(t, err)

	underWay := make(chan string, 1)
	go func() {
		text, err := hover(h, dir, "x.c")
		underWay <- fmt.Sprint(text, err)
	}()
	_, err = fakeserver.WaitLog(old.Log, time.Minute, func(e []fakeserver.Event) bool { return fakeserver.Count(e, "textDocument/hover") == 1 })
	require.NoError(t, err)

	next := config(map[string]host.Server{"kept": c.Servers["kept"], "changed": fake(t, ".c", says("new")), "added": fake(t, ".n", says("n"))})
	require.NoError(t, h.Reload(t.Context(), next))
	for name, want := range map[string]string{"x.k": "kept", "x.c": "new", "x.n": "n"} {
		text, err := hover(h, dir, name)
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
	_, err = hover(h, dir, "x.r")
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.Equal(t, "old<nil>", <-underWay) // A-180 corrected
	require.Equal(t, 1, keptStarts())
	require.Equal(t, 1, oldStarts())

	bad := next
	bad.Servers = map[string]host.Server{"kept": c.Servers["kept"], "broken": fake(t, ".k", says("x"))}
	require.Error(t, h.Reload(t.Context(), bad)) // nothing changes
	text, err := hover(h, dir, "x.n")
	require.NoError(t, err)
	require.Equal(t, "n", text)
}

// Queries go on while reloads come and go, and none of them fails.
func TestReloadHammer(t *testing.T) {
	variants := []host.Config{
		config(map[string]host.Server{"one": fake(t, ".a", says("1"))}),
		config(map[string]host.Server{"two": fake(t, ".a", says("2")), "more": fake(t, ".b", says("b"))}),
		config(map[string]host.Server{"one": fake(t, ".a", says("3"))}),
	}
	h := open(t, variants[0])
	dir := folder(t, "x.a")
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if text, err := hover(h, dir, "x.a"); err != nil || !strings.Contains("123", text) {
					t.Errorf("%q, %v", text, err)
					return
				}
			}
		})
	}
	for i := range 20 {
		require.NoError(t, h.Reload(t.Context(), variants[i%len(variants)]))
		time.Sleep(10 * time.Millisecond)
	}
	close(stop)
	callers.Wait()
}

// closing fails what is under way, and everything after it.
func TestClose(t *testing.T) {
	script := says("never")
	script.On["textDocument/hover"][0].DelayMS = 600_000
	script, _ = logged(script, t)
	before := runtime.NumGoroutine()
	h, err := host.Open(t.Context(), config(map[string]host.Server{"a": fake(t, ".a", script)}), host.Options{})
	require.NoError(t, err)
	dir := folder(t, "x.a")
	failed := make(chan error, 1)
	go func() {
		_, err := hover(h, dir, "x.a")
		failed <- err
	}()
	_, err = fakeserver.WaitLog(script.Log, time.Minute, func(e []fakeserver.Event) bool { return fakeserver.Count(e, "textDocument/hover") == 1 })
	require.NoError(t, err)
	require.NoError(t, h.Close(t.Context()))
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(<-failed))
	_, err = hover(h, dir, "x.a")
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err)) // A-183 corrected: a host says that it is closed
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(h.Start(t.Context(), "a", dir)))
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(h.Reload(t.Context(), config(map[string]host.Server{"a": fake(t, ".a", script)}))))
	require.NoError(t, h.Close(t.Context()))
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "goroutines are left")
	}
}

func TestStart(t *testing.T) {
	script, starts := logged(says("a"), t)
	h := open(t, config(map[string]host.Server{"a": fake(t, ".a", script)}))
	require.NoError(t, h.Start(t.Context(), "a", t.TempDir()))
	require.Equal(t, 1, starts())
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(h.Start(t.Context(), "none", t.TempDir())))
}
