package host_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
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
	"github.com/navseam/navseam/seam"
)

// echoing configures the module of testdata for an extension. Its hover is its config.
func echoing(t *testing.T, extension string, config any) host.Module {
	t.Helper()
	path, err := filepath.Abs("testdata/echo.wasm")
	require.NoError(t, err)
	module := host.DefaultModule()
	module.Path, module.Config = path, config
	module.ExtensionToLanguage = map[string]string{extension: "echo"}
	return module
}

func modules(entries map[string]host.Module) host.Config {
	c := host.DefaultConfig()
	c.Modules = entries
	return c
}

// all runs a question of each operation.
func all(t *testing.T, h *host.Host, dir, name string) map[seam.Operation]string {
	t.Helper()
	answers := map[seam.Operation]string{}
	for _, op := range []seam.Operation{seam.OpGoToDefinition, seam.OpFindReferences, seam.OpGoToImplementation, seam.OpHover} {
		result, err := h.Query(t.Context(), seam.Request{Operation: op, FilePath: name, WorkspaceRoot: dir})
		if err != nil {
			answers[op] = string(seam.CodeOf(err))
			continue
		}
		text, err := json.Marshal(result)
		require.NoError(t, err)
		answers[op] = strings.ReplaceAll(string(text), name, "FILE")
	}
	return answers
}

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if !time.Now().Before(deadline) {
			stacks := make([]byte, 1<<20)
			require.FailNow(t, "goroutines are left", "%s", stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// Who asks cannot tell a server from a module.
func TestMixedDeployment(t *testing.T) {
	here := fakeserver.Raw(`[{"uri": "$uri", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 4}}}]`)
	c := config(map[string]host.Server{"server": fake(t, ".a", fakeserver.Script{
		Capabilities: fakeserver.Raw(`{"textDocumentSync": 1, "definitionProvider": true, "referencesProvider": true, "hoverProvider": true}`),
		On: map[string][]fakeserver.Action{
			"textDocument/definition": {{Result: here}},
			"textDocument/references": {{Result: here}},
			"textDocument/hover":      {{Result: fakeserver.Raw(`{"contents": "\"text\""}`)}},
		},
	})})
	c.Modules["module"] = echoing(t, ".m", "text")
	h := open(t, c)
	dir := folder(t, "x.a", "x.m")
	server, module := all(t, h, dir, "x.a"), all(t, h, dir, "x.m")
	require.Equal(t, server, module)
	require.Contains(t, module[seam.OpGoToDefinition], "FILE")
	require.Contains(t, module[seam.OpHover], `"\"text\""`)
	require.Equal(t, "LSP_UNSUPPORTED_OPERATION", module[seam.OpGoToImplementation])

	status := h.Status().Providers
	require.Len(t, status, 2)
	require.Equal(t, "module", status[0].ID)
	require.Equal(t, host.KindModule, status[0].Kind)
	require.Len(t, status[0].Module.Workspaces, 1)
	require.Empty(t, status[0].Server.Workspaces)
	require.Equal(t, "server", status[1].ID)
	require.Equal(t, host.KindNative, status[1].Kind)
	require.Len(t, status[1].Server.Workspaces, 1)
	require.Empty(t, status[1].Module.Workspaces)
}

func TestStartModule(t *testing.T) {
	h := open(t, modules(map[string]host.Module{"m": echoing(t, ".m", nil)}))
	dir := t.TempDir()
	require.NoError(t, h.Start(t.Context(), "m", dir))
	require.Equal(t, 1, h.Status().Providers[0].Module.Workspaces[0].Starts)
	err := h.Start(t.Context(), "none", dir)
	require.EqualError(t, err, `there is no server or module "none" in the configuration`)
}

// The pin is a hash of the file, in any case of letters.
func TestPin(t *testing.T) {
	module := echoing(t, ".m", nil)
	data, err := os.ReadFile(module.Path)
	require.NoError(t, err)
	hash := sha256.Sum256(data)
	module.SHA256 = strings.ToUpper(hex.EncodeToString(hash[:]))
	h := open(t, modules(map[string]host.Module{"m": module}))
	require.Equal(t, hex.EncodeToString(hash[:]), h.Status().Providers[0].Module.SHA256)

	module.SHA256 = strings.Repeat("0", 64)
	_, err = host.Open(t.Context(), modules(map[string]host.Module{"m": module}), host.Options{CacheDir: t.TempDir()})
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	require.ErrorContains(t, err, hex.EncodeToString(hash[:]))
}

// Where the configuration is lenient, the bad entries are told and the rest goes on.
func TestLenientModules(t *testing.T) {
	before := runtime.NumGoroutine()
	gone := echoing(t, ".g", nil)
	gone.Path = filepath.Join(t.TempDir(), "gone.wasm")
	unmounted := echoing(t, ".u", nil)
	unmounted.Grants.Files.Mounts = map[string]string{"index": filepath.Join(t.TempDir(), "nowhere")}
	c := modules(map[string]host.Module{
		"fine": echoing(t, ".m", "fine"), "gone": gone, "twin": echoing(t, ".m", "twin"), "unmounted": unmounted,
	})
	c.Servers["lost"] = fake(t, ".m", says("lost"))
	_, err := host.Open(t.Context(), c, host.Options{CacheDir: t.TempDir()})
	for _, want := range []string{"gone", "twin", "modules.unmounted.grants.files.mounts.index", "lost"} {
		require.ErrorContains(t, err, want)
	}
	settled(t, before)

	c.Lenient = true
	h, err := host.Open(t.Context(), c, host.Options{CacheDir: t.TempDir()})
	require.NoError(t, err)
	dir := folder(t, "x.m", "x.g")
	text, err := hover(h, dir, "x.m")
	require.NoError(t, err)
	require.Equal(t, `"fine"`, text)
	_, err = hover(h, dir, "x.g")
	require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
	require.ErrorContains(t, err, "gone")
	kinds, failed := map[string]string{}, map[string]seam.Code{}
	for _, p := range h.Status().Providers {
		kinds[p.ID], failed[p.ID] = p.Kind, seam.CodeOf(p.Err)
	}
	require.Equal(t, map[string]string{"fine": "module", "gone": "module", "twin": "module", "unmounted": "module", "lost": "native"}, kinds)
	require.Equal(t, map[string]seam.Code{
		"fine": "", "gone": seam.CodeInvalidConfig, "twin": seam.CodeConflict, "unmounted": seam.CodeInvalidConfig, "lost": seam.CodeConflict,
	}, failed)
	require.NoError(t, h.Close(t.Context()))
	settled(t, before)
}

// A reload keeps the instances of what did not change, and an id may go from one kind to
// the other.
func TestReloadModules(t *testing.T) {
	before := runtime.NumGoroutine()
	c := modules(map[string]host.Module{"kept": echoing(t, ".k", "kept"), "moving": echoing(t, ".m", "module")})
	path, err := os.Executable()
	require.NoError(t, err)
	h, err := host.Open(t.Context(), c, host.Options{Supervisor: []string{path, "supervise"}, CacheDir: t.TempDir()})
	require.NoError(t, err)
	dir := folder(t, "x.k", "x.m")
	expect := func(name, want string) {
		t.Helper()
		text, err := hover(h, dir, name)
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
	starts := func() int { return h.Status().Providers[0].Module.Workspaces[0].Starts }
	expect("x.k", `"kept"`)
	expect("x.m", `"module"`)

	next := modules(map[string]host.Module{"kept": c.Modules["kept"]})
	next.Servers["moving"] = fake(t, ".m", says("server"))
	require.NoError(t, h.Reload(t.Context(), next))
	expect("x.k", `"kept"`)
	expect("x.m", "server")
	require.Equal(t, 1, starts())

	require.NoError(t, h.Reload(t.Context(), c))
	expect("x.m", `"module"`)
	require.Equal(t, 1, starts())

	changed := modules(maps.Clone(c.Modules))
	changed.Modules["kept"] = echoing(t, ".k", "changed")
	require.NoError(t, h.Reload(t.Context(), changed))
	expect("x.k", `"changed"`)
	require.NoError(t, h.Close(t.Context()))
	settled(t, before)
}

// What was prepared for a reload that does not come about is closed again.
func TestFailedReloadLeavesNothing(t *testing.T) {
	h := open(t, modules(map[string]host.Module{"m": echoing(t, ".m", "old")}))
	dir := folder(t, "x.m")
	_, err := hover(h, dir, "x.m")
	require.NoError(t, err)
	before := runtime.NumGoroutine()

	broken := echoing(t, ".b", nil)
	broken.Path = filepath.Join(dir, "x.m") // text
	bad := map[string]host.Module{"m": echoing(t, ".m", "new"), "more": echoing(t, ".n", "more"), "broken": broken}
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(h.Reload(t.Context(), modules(bad))))
	settled(t, before)

	delete(bad, "broken")
	ended, end := context.WithCancel(t.Context())
	end()
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(h.Reload(ended, modules(bad))))
	settled(t, before)

	text, err := hover(h, dir, "x.m")
	require.NoError(t, err)
	require.Equal(t, `"old"`, text)
	require.Len(t, h.Status().Providers, 1)
}

// Queries go on while modules are replaced, and every one of them has an answer.
func TestReloadModulesHammer(t *testing.T) {
	before := runtime.NumGoroutine()
	variants := []host.Config{
		modules(map[string]host.Module{"one": echoing(t, ".m", 1)}),
		modules(map[string]host.Module{"two": echoing(t, ".m", 2), "more": echoing(t, ".n", 0)}),
		modules(map[string]host.Module{"one": echoing(t, ".m", 3), "more": echoing(t, ".n", 0)}),
	}
	h, err := host.Open(t.Context(), variants[0], host.Options{CacheDir: t.TempDir()})
	require.NoError(t, err)
	dir := folder(t, "x.m")
	stop := make(chan struct{})
	answers := make([]map[string]int, 4)
	var callers sync.WaitGroup
	for i := range answers {
		answers[i] = map[string]int{}
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				text, err := hover(h, dir, "x.m")
				if err != nil {
					text = fmt.Sprint(seam.CodeOf(err), " ", err)
				}
				answers[i][text]++
			}
		})
	}
	for i := range 50 {
		require.NoError(t, h.Reload(t.Context(), variants[i%len(variants)]))
	}
	close(stop)
	callers.Wait()
	for _, got := range answers {
		delete(got, "1")
		delete(got, "2")
		delete(got, "3")
		require.Empty(t, got)
	}
	require.NoError(t, h.Close(t.Context()))
	settled(t, before)
}

// Closing ends what modules are doing, and everything after it fails.
func TestCloseModules(t *testing.T) {
	before := runtime.NumGoroutine()
	h, err := host.Open(t.Context(), modules(map[string]host.Module{"m": echoing(t, ".m", nil)}), host.Options{CacheDir: t.TempDir()})
	require.NoError(t, err)
	dir := folder(t, "x.m")
	_, err = hover(h, dir, "x.m")
	require.NoError(t, err)
	require.NoError(t, h.Close(t.Context()))
	_, err = hover(h, dir, "x.m")
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(h.Start(t.Context(), "m", dir)))
	require.Empty(t, h.Status().Providers)
	settled(t, before)
}
