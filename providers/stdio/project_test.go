package stdio

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/seam/seamtest"
)

// tellsRoot makes a hover say where the server was started.
func tellsRoot() fakeserver.Script {
	return fakeserver.Script{On: on("textDocument/hover", fakeserver.Action{Result: fakeserver.Raw(`{"contents":"$root"}`)})}
}

func marked(c *Config) { c.RootMarkers = []string{"go.mod"} }

// beginProjects is a workspace with a project in each of the folders.
func beginProjects(t *testing.T, pool *Pool, script fakeserver.Script, change func(*Config), folders ...string) *harness {
	t.Helper()
	h := beginIn(t, pool, script, func(c *Config) {
		marked(c)
		if change != nil {
			change(c)
		}
	})
	var err error
	h.dir, err = filepath.EvalSymlinks(h.dir)
	require.NoError(t, err)
	for _, folder := range folders {
		h.project(folder)
	}
	return h
}

// project makes a folder with a marker and a source.
func (h *harness) project(folder string) {
	h.t.Helper()
	dir := filepath.Join(h.dir, folder)
	require.NoError(h.t, os.MkdirAll(dir, 0o700))
	write(h.t, dir, "go.mod", "")
	write(h.t, dir, "x.go", "package x\n")
}

func (h *harness) fileTarget(file string) seam.Target {
	target := h.target()
	target.FilePath = file
	return target
}

// rootOf is the folder, relative to the workspace, of the server that answers about a file.
func (h *harness) rootOf(file string) string {
	h.t.Helper()
	answer, err := h.provider.Hover(h.t.Context(), h.fileTarget(file))
	require.NoError(h.t, err)
	path, err := workspace.PathOf(answer.Hover.Contents)
	require.NoError(h.t, err)
	folder, err := filepath.Rel(h.dir, path)
	require.NoError(h.t, err)
	return filepath.ToSlash(folder)
}

// Each project has a server of its own, which is told of nothing else; what it answers is
// of the workspace.
func TestProjects(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), tellsRoot(), nil, "one", "two", "two/inner")
	require.NoError(t, os.MkdirAll(filepath.Join(h.dir, "two", "pkg"), 0o700))
	write(t, h.dir, "two/pkg/y.go", "package pkg\n")
	require.NoError(t, os.Symlink("one/x.go", filepath.Join(h.dir, "link.go")))
	require.NoError(t, os.Symlink("../one", filepath.Join(h.dir, "two", "linked")))
	for _, c := range []struct{ file, want string }{
		{"one/x.go", "one"},
		{"two/x.go", "two"},
		{"two/inner/x.go", "two/inner"},
		{"two/pkg/y.go", "two"},
		{"a.go", "."},
		{"link.go", "one"},
		{"two/linked/x.go", "one"},
		{filepath.Join(h.dir, "one", "x.go"), "one"},
	} {
		require.Equal(t, c.want, h.rootOf(c.file), c.file)
	}
	require.Len(t, h.starts(), 4)

	answer, err := h.provider.GoToDefinition(t.Context(), h.fileTarget("one/x.go"))
	require.NoError(t, err)
	require.Equal(t, workspace.FileURI(h.dir), answer.WorkspaceURI)
	require.Equal(t, workspace.FileURI(filepath.Join(h.dir, "one", "x.go")), answer.Items[0].URI)

	folders := map[string]bool{}
	for _, e := range h.events() {
		if e.Method != "initialize" {
			continue
		}
		var params struct {
			RootURI          string
			WorkspaceFolders []struct{ URI string }
		}
		require.NoError(t, json.Unmarshal(e.Params, &params))
		require.Len(t, params.WorkspaceFolders, 1)
		require.Equal(t, params.RootURI, params.WorkspaceFolders[0].URI)
		folders[params.RootURI] = true
		if runtime.GOOS == "linux" {
			cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", e.PID))
			require.NoError(t, err)
			require.Equal(t, params.RootURI, workspace.FileURI(cwd))
		}
	}
	require.Len(t, folders, 4)
}

func TestProjectConforms(t *testing.T) {
	script := fakeserver.Script{
		Capabilities: fakeserver.Raw(`{"textDocumentSync":1,"definitionProvider":true,"referencesProvider":true,"hoverProvider":true}`),
		On: on("textDocument/hover",
			fakeserver.Action{}, // the case of the table
			fakeserver.Action{Result: fakeserver.Raw(`null`)},
			fakeserver.Action{}),
	}
	h := beginProjects(t, newPool(t, 8), script, nil, "one")
	outside := filepath.Join(t.TempDir(), "b.go")
	require.NoError(t, os.WriteFile(outside, []byte("package b\n"), 0o600))
	uri := workspace.FileURI(h.dir)
	place := seamtest.Place{File: "one/x.go"}
	seamtest.Run(t, seamtest.Fixture{
		Provider: h.provider, Root: h.dir, WorkspaceURI: uri, Language: "go",
		Cases: []seamtest.Case{
			{Operation: seam.OpGoToDefinition, Place: place, Locations: []seam.Location{{
				URI: uri + "/one/x.go", Range: seam.Range{End: seam.Position{Character: 1}},
			}}},
			{Operation: seam.OpHover, Place: place, Hover: "fake"},
		},
		Nothing:     place,
		Unsupported: []seam.Operation{seam.OpGoToImplementation},
		OutsideFile: outside,
	})
	require.Len(t, h.starts(), 1)
}

// The disk says what a project is, at each query.
func TestProjectsFollowTheDisk(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), tellsRoot(), nil, "one/inner")
	require.Equal(t, "one/inner", h.rootOf("one/inner/x.go"))
	require.NoError(t, os.Remove(filepath.Join(h.dir, "one", "inner", "go.mod")))
	require.Equal(t, ".", h.rootOf("one/inner/x.go"))
	h.project("one")
	require.Equal(t, "one", h.rootOf("one/inner/x.go"))
	h.project("one/inner")
	require.Equal(t, "one/inner", h.rootOf("one/inner/x.go"))
	require.Len(t, h.starts(), 3, "the first is warm still")

	// As with a workspace, a folder that was deleted and made again is another one.
	require.NoError(t, os.RemoveAll(filepath.Join(h.dir, "one", "inner")))
	_, err := h.provider.Hover(t.Context(), h.fileTarget("one/inner/x.go"))
	require.Equal(t, seam.ReasonMissing, seam.AsError(err).Reason)
	h.project("one/inner")
	require.Equal(t, "one/inner", h.rootOf("one/inner/x.go"))
	require.Len(t, h.starts(), 4)
}

// A file outside the workspace is answered by the server whose answer led to it last, and by
// the one at the root if none did.
func TestProjectOfAnOutsideFile(t *testing.T) {
	library := t.TempDir()
	write(t, library, "lib.go", "package lib\n")
	write(t, library, "returned.go", "package lib\n")
	write(t, library, "go.mod", "")
	returned := filepath.Join(library, "returned.go")
	script := tellsRoot()
	script.On["textDocument/definition"] = []fakeserver.Action{{Result: fakeserver.Raw(fmt.Sprintf(
		`{"uri":%q,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}`, workspace.FileURI(returned),
	))}}
	h := beginProjects(t, newPool(t, 8), script, nil, "one", "two")
	_, err := h.provider.Hover(t.Context(), h.fileTarget(returned))
	require.Equal(t, seam.ReasonOutside, seam.AsError(err).Reason)
	for _, project := range []string{"one", "two", "one"} {
		_, err := h.provider.GoToDefinition(t.Context(), h.fileTarget(project+"/x.go"))
		require.NoError(t, err)
		require.Equal(t, project, h.rootOf(returned))
	}
	require.Len(t, h.starts(), 2, "the one at the root was not needed")

	// What one project returned, all of the workspace may be asked about, from inside it too:
	// the containment is that of the workspace.
	require.Equal(t, ".", h.rootOf("a.go"))
	require.Equal(t, "one", h.rootOf(returned))

	// It stays known while any project of the workspace is.
	crowded := beginProjects(t, newPool(t, 1), script, nil, "one", "two")
	_, err = crowded.provider.GoToDefinition(t.Context(), crowded.fileTarget("one/x.go"))
	require.NoError(t, err)
	require.Equal(t, "two", crowded.rootOf("two/x.go"))
	require.Equal(t, "one", crowded.rootOf(returned))

	open := beginProjects(t, newPool(t, 8), script, func(c *Config) { c.SourceRoots = []string{library} }, "one")
	require.Equal(t, ".", open.rootOf(filepath.Join(library, "lib.go")), "a marker outside the workspace does not count")
	_, err = open.provider.GoToDefinition(t.Context(), open.fileTarget("one/x.go"))
	require.NoError(t, err)
	require.Equal(t, "one", open.rootOf(returned))
}

// What is wrong with the source is found before a process is started, and a project is
// never outside.
func TestNothingStartsOutsideTheWorkspace(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), fakeserver.Script{}, nil, "one")
	outside := t.TempDir()
	write(t, outside, "go.mod", "")
	write(t, outside, "x.go", "package x\n")
	require.NoError(t, os.Symlink(outside, filepath.Join(h.dir, "out")))
	for file, reason := range map[string]string{
		"out/x.go": seam.ReasonOutside, outside + "/x.go": seam.ReasonOutside, "../x.go": seam.ReasonMissing,
		"one/missing.go": seam.ReasonMissing, "one": seam.ReasonNotRegular,
	} {
		_, err := h.provider.Hover(t.Context(), h.fileTarget(file))
		require.Equal(t, seam.CodeSourceRejected, seam.CodeOf(err), file)
		require.Equal(t, reason, seam.AsError(err).Reason, file)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(h.dir, "one")))
	require.NoError(t, os.Symlink(outside, filepath.Join(h.dir, "one")))
	_, err := h.provider.Hover(t.Context(), h.fileTarget("one/x.go"))
	require.Equal(t, seam.ReasonOutside, seam.AsError(err).Reason)
	require.Empty(t, h.starts())
	require.Empty(t, h.provider.Status().Workspaces)
}

// Between the walk and the start a folder may become another one, or a link to one.
func TestProjectThatIsSwappedBeforeItIsEntered(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), tellsRoot(), nil, "one")
	root, err := h.pool.files.Root(t.Context(), h.dir)
	require.NoError(t, err)
	outer, err := h.pool.enter(t.Context(), h.provider, root)
	require.NoError(t, err)
	defer h.pool.leave(outer)
	_, project, err := outer.view.Project(t.Context(), "one/x.go", []string{"go.mod"})
	require.NoError(t, err)
	require.NoError(t, os.Rename(project.Path(), filepath.Join(h.dir, "aside")))
	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, project.Path()))
	_, err = h.pool.enterProject(t.Context(), outer, project)
	require.Equal(t, seam.CodeWorkspaceRequired, seam.CodeOf(err))
	require.True(t, seam.AsError(err).Retryable)
}

// A folder that goes between the walk and the start costs the question nothing else: the walk
// is done again.
func TestProjectsThatComeAndGo(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), fakeserver.Script{}, nil, "one")
	stop := make(chan struct{})
	var moving sync.WaitGroup
	moving.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(filepath.Join(h.dir, "one"), filepath.Join(h.dir, "aside"))
			_ = os.Rename(filepath.Join(h.dir, "aside"), filepath.Join(h.dir, "one"))
			time.Sleep(50 * time.Microsecond)
		}
	})
	found := 0
	for range 2000 {
		sp, _, err := h.provider.enter(t.Context(), h.fileTarget("one/x.go"))
		if err == nil {
			found++
			h.pool.leave(sp)
			continue
		}
		if code := seam.CodeOf(err); code != seam.CodeSourceRejected && code != seam.CodeWorkspaceRequired {
			t.Errorf("it failed otherwise: %v", err)
		}
	}
	close(stop)
	moving.Wait()
	require.Positive(t, found)
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	require.Empty(t, h.pool.spaces)
}

// Projects share the cap: the one that was not asked for the longest time makes room.
func TestManyProjects(t *testing.T) {
	pool := newPool(t, 2)
	var folders []string
	for i := range 6 {
		folders = append(folders, fmt.Sprintf("p%d", i))
	}
	h := beginProjects(t, pool, tellsRoot(), func(c *Config) { c.IdleTimeout = 100 * time.Millisecond }, folders...)
	before := runtime.NumGoroutine()
	for _, folder := range folders {
		require.Equal(t, folder, h.rootOf(folder+"/x.go"))
		running := 0
		for _, pid := range h.starts() {
			if fakeserver.Running(pid) {
				running++
			}
		}
		require.LessOrEqual(t, running, 2)
	}
	eventually(t, "all is forgotten, also the workspace around them", func() bool {
		pool.mu.Lock()
		defer pool.mu.Unlock()
		return len(pool.spaces) == 0 && len(pool.residents) == 0 && pool.taken == 0
	})
	eventually(t, "goroutines are back", func() bool { return runtime.NumGoroutine() <= before })
	require.Equal(t, "p0", h.rootOf("p0/x.go"))
}

// A project that keeps failing leaves the others alone.
func TestCircuitOfAProject(t *testing.T) {
	// The first process of each attempt dies on the question; a retry is one more.
	h := beginProjects(t, newPool(t, 8), fakeserver.Script{On: on("textDocument/references",
		fakeserver.Action{Exit: fakeserver.Exit(1), NoReply: true})},
		func(c *Config) { c.Circuit = Circuit{Failures: 2, Cooldown: time.Hour} }, "bad", "good")
	_, err := h.provider.FindReferences(t.Context(), h.fileTarget("bad/x.go"))
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
	_, err = h.provider.Hover(t.Context(), h.fileTarget("bad/x.go"))
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	for _, file := range []string{"good/x.go", "a.go"} {
		_, err = h.provider.Hover(t.Context(), h.fileTarget(file))
		require.NoError(t, err)
	}
	status := h.provider.Status().Workspaces
	require.Len(t, status, 3)
	for i, want := range []struct {
		project  string
		failures int
		starts   int
	}{{".", 0, 1}, {"bad", 2, 2}, {"good", 0, 1}} {
		require.Equal(t, h.dir, status[i].Root)
		require.Equal(t, filepath.Join(h.dir, want.project), status[i].Project)
		require.Equal(t, want.failures, status[i].Failures)
		require.Equal(t, want.starts, status[i].Starts)
		require.Equal(t, want.failures > 0, status[i].CircuitOpen > 0)
	}
}

// Start is about the workspace, and starts at its root.
func TestStartWithMarkers(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), tellsRoot(), nil, "one")
	require.NoError(t, h.provider.Start(t.Context(), h.dir))
	require.Equal(t, ".", h.rootOf("a.go"))
	require.Len(t, h.starts(), 1)
	status := h.workspaceStatus()
	require.Equal(t, h.dir, status.Root)
	require.Equal(t, h.dir, status.Project)
}

// Closing ends the servers of all projects.
func TestCloseWithProjects(t *testing.T) {
	h := beginProjects(t, newPool(t, 8), tellsRoot(), nil, "one", "two")
	for _, file := range []string{"one/x.go", "two/x.go", "a.go"} {
		h.rootOf(file)
	}
	require.NoError(t, h.provider.Close(t.Context()))
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	require.Empty(t, h.pool.spaces)
}

// While markers come and go under a small cap, each answer comes from a project that the
// file belonged to.
func TestProjectsHammer(t *testing.T) {
	pool := newPool(t, 3)
	h := beginProjects(t, pool, tellsRoot(), func(c *Config) {
		c.IdleTimeout = 30 * time.Millisecond
		c.ShutdownTimeout = 500 * time.Millisecond
		c.KillGrace = 200 * time.Millisecond
	}, "one", "two", "one/inner")
	stop := make(chan struct{})
	var toggling sync.WaitGroup
	toggling.Go(func() {
		marker := filepath.Join(h.dir, "one", "inner", "go.mod")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Remove(marker)
			time.Sleep(time.Millisecond)
			_ = os.WriteFile(marker, nil, 0o600)
			time.Sleep(time.Millisecond)
		}
	})
	of := map[string][]string{"one/inner/x.go": {"one/inner", "one"}, "one/x.go": {"one"}, "two/x.go": {"two"}, "a.go": {"."}}
	var callers sync.WaitGroup
	for range 3 {
		for file, projects := range of {
			callers.Go(func() {
				for range 10 {
					ctx, cancel := context.WithTimeout(t.Context(), patient)
					answer, err := h.provider.Hover(ctx, h.fileTarget(file))
					cancel()
					if err != nil {
						if seam.CodeOf(err) != seam.CodeUnavailable {
							t.Errorf("%s: %v", file, err)
						}
						continue
					}
					path, err := workspace.PathOf(answer.Hover.Contents)
					if err != nil {
						t.Error(err)
						continue
					}
					folder, _ := filepath.Rel(h.dir, path)
					if folder = filepath.ToSlash(folder); folder != projects[0] && folder != projects[len(projects)-1] {
						t.Errorf("%s was answered in %s", file, folder)
					}
				}
			})
		}
	}
	callers.Wait()
	close(stop)
	toggling.Wait()
}
