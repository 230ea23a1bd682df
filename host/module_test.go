package host

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/seam"
)

func TestModuleDefaults(t *testing.T) {
	config, err := parse(t, "modules: {m: {path: m.wasm, extensionToLanguage: {.m: m}}}")
	require.NoError(t, err)
	require.Empty(t, config.Servers)
	require.Equal(t, map[string]Module{"m": {
		Path:                filepath.Join(configFolder(t), "m.wasm"),
		SHA256:              "",
		ExtensionToLanguage: map[string]string{".m": "m"},
		FileNameToLanguage:  nil,
		Engine:              "wazero",
		Limits: ModuleLimits{
			MemoryBytes:   134217728,
			CallTimeoutMs: 2000,
			LoadTimeoutMs: 5000,
			Instances:     2,
			ResponseBytes: 4194304,
			Locations:     100000,
			IdleTimeoutMs: 900000,
		},
		MaxDocumentBytes: 4000000,
		Grants:           Grants{},
		Config:           nil,
		Complete:         false,
		Circuit:          Circuit{Failures: 5, CooldownMs: 30000},
	}}, config.Modules)
}

const everyModuleKey = `
modules:
  m:
    path: ${configDir}/m.wasm
    sha256: 9F86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    extensionToLanguage: {.m: m}
    fileNameToLanguage: {Makefile: makefile}
    engine: wazero-interpreter
    limits: {memoryBytes: 65536, callTimeoutMs: 1, loadTimeoutMs: 2, instances: 3, responseBytes: 4, locations: 5, idleTimeoutMs: 0}
    maxDocumentBytes: 6
    grants:
      files: {workspace: true, mounts: {index: ./index, home: "${env:HOME}"}}
      http:
        - {url: "https://a.example/x/", methods: [POST], headers: {Authorization: "Bearer ${env:CODE_TOKEN}"}, private: true, bodyBytes: 7, timeoutMs: 8}
        - {url: "https://b.example/"}
      cache: {bytes: 9}
    config: {index: [1, null]}
    complete: true
    circuit: {failures: 10, cooldownMs: 11}
limits: {queryTimeoutMs: 12}
sourceRoots: [roots]
`

func TestEveryKeyOfAModuleIsRead(t *testing.T) {
	config, err := parse(t, everyModuleKey)
	require.NoError(t, err)
	require.Equal(t, Module{
		Path:                configFolder(t) + "/m.wasm",
		SHA256:              "9F86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		ExtensionToLanguage: map[string]string{".m": "m"},
		FileNameToLanguage:  map[string]string{"Makefile": "makefile"},
		Engine:              "wazero-interpreter",
		Limits: ModuleLimits{
			MemoryBytes: 65536, CallTimeoutMs: 1, LoadTimeoutMs: 2, Instances: 3,
			ResponseBytes: 4, Locations: 5, IdleTimeoutMs: 0,
		},
		MaxDocumentBytes: 6,
		Grants: Grants{
			Files: FileGrant{Workspace: true, Mounts: map[string]string{"index": filepath.Join(configFolder(t), "index"), "home": homeFolder(t)}},
			HTTP: []HTTPRule{
				{
					URL: "https://a.example/x/", Methods: []string{"POST"}, Headers: map[string]string{"Authorization": "Bearer " + codeToken},
					Private: true, BodyBytes: 7, TimeoutMs: 8,
				},
				{URL: "https://b.example/", BodyBytes: 4194304, TimeoutMs: 30000},
			},
			Cache: CacheGrant{Bytes: 9},
		},
		Config:   map[string]any{"index": []any{uint64(1), nil}},
		Complete: true,
		Circuit:  Circuit{Failures: 10, CooldownMs: 11},
	}, config.Modules["m"])
}

func TestSandboxGetsEveryKey(t *testing.T) {
	config, err := parse(t, everyModuleKey)
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	got, err := config.sandboxed("m", Options{CacheDir: "cache", Log: log})
	require.NoError(t, err)
	require.Equal(t, sandbox.Config{
		ID: "m",
		Routes: seam.Routes{
			Extensions: map[string]string{".m": "m"},
			FileNames:  map[string]string{"Makefile": "makefile"},
		},
		Path:   configFolder(t) + "/m.wasm",
		SHA256: "9F86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		Engine: "wazero-interpreter",
		Limits: sandbox.Limits{
			MemoryBytes:   65536,
			CallTimeout:   time.Millisecond,
			LoadTimeout:   2 * time.Millisecond,
			Instances:     3,
			ResponseBytes: 4,
			Locations:     5,
			DocumentBytes: 6,
			IdleTimeout:   0,
		},
		Grants: sandbox.Grants{
			Workspace: true,
			Mounts:    map[string]string{"index": filepath.Join(configFolder(t), "index"), "home": homeFolder(t)},
			HTTP: []egress.Rule{
				{
					URL: "https://a.example/x/", Methods: []string{"POST"}, Headers: map[string]string{"Authorization": "Bearer " + codeToken},
					Private: true, BodyBytes: 7, Timeout: 8 * time.Millisecond,
				},
				{URL: "https://b.example/", BodyBytes: 4194304, Timeout: 30 * time.Second},
			},
			CacheBytes: 9,
		},
		Settings:     json.RawMessage(`{"index":[1,null]}`),
		Complete:     true,
		Circuit:      circuit.Limit{Failures: 10, Cooldown: 11 * time.Millisecond},
		SourceRoots:  []string{filepath.Join(configFolder(t), "roots")},
		QueryTimeout: 12 * time.Millisecond,
		CacheDir:     "cache",
		Log:          log,
	}, got)
}

func validModule(t *testing.T) Module {
	m := DefaultModule()
	m.Path = filepath.Join(configFolder(t), "m.wasm")
	m.ExtensionToLanguage = map[string]string{".m": "m"}
	return m
}

func TestValidateModules(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Module)
		want   string // empty: valid
	}{
		{"good", func(*Module) {}, ""},
		{"no path", func(m *Module) { m.Path = "" }, "modules.m.path: is required and must not be blank"},
		{"relative path", func(m *Module) { m.Path = "m.wasm" }, `modules.m.path: must be an absolute path, not "m.wasm"`},
		{"home", func(m *Module) { m.Path = "~/m.wasm" }, `modules.m.path: must be an absolute path, not "~/m.wasm": in a config file, write ${env:HOME} for ~`},
		{"short hash", func(m *Module) { m.SHA256 = "12ab" }, `modules.m.sha256: must be 64 hexadecimal digits, not "12ab"`},
		{
			"no hash", func(m *Module) { m.SHA256 = strings.Repeat("x", 64) },
			`modules.m.sha256: must be 64 hexadecimal digits, not "` + strings.Repeat("x", 40) + `"…`,
		},
		{"hash", func(m *Module) { m.SHA256 = strings.Repeat("0aF9", 16) }, ""},
		{"unknown engine", func(m *Module) { m.Engine = "v8" }, `modules.m.engine: must be wazero or wazero-interpreter or wasmtime, not "v8"`},
		{
			"no files", func(m *Module) { m.ExtensionToLanguage = nil },
			`modules.m.extensionToLanguage: at least one entry is required here or under fileNameToLanguage, such as ".go": go`,
		},
		{
			"half a page", func(m *Module) { m.Limits.MemoryBytes = 100000 },
			"modules.m.limits.memoryBytes: must be whole pages of 65536 bytes, such as 65536 or 131072, not 100000",
		},
		{"little memory", func(m *Module) { m.Limits.MemoryBytes = 65535 }, "modules.m.limits.memoryBytes: must be a whole number from 65536 to 1073741824, not 65535"},
		{"all memory", func(m *Module) { m.Limits.MemoryBytes = 1 << 30 }, ""},
		{"no instance", func(m *Module) { m.Limits.Instances = 0 }, "modules.m.limits.instances: must be a whole number from 1 to 64, not 0"},
		{"never idle", func(m *Module) { m.Limits.IdleTimeoutMs = 0 }, ""},
		{
			"mount of the workspace", func(m *Module) { m.Grants.Files.Mounts = map[string]string{"workspace": configFolder(t)} },
			"modules.m.grants.files.mounts.workspace: this name is that of the workspace: choose another",
		},
		{
			"mount with a slash", func(m *Module) { m.Grants.Files.Mounts = map[string]string{"a/b": configFolder(t)} },
			`modules.m.grants.files.mounts."a/b": the name of a mount has letters, digits, ".", "-" and "_", and does not begin with a "." or "-"`,
		},
		{
			"mount of the parent", func(m *Module) { m.Grants.Files.Mounts = map[string]string{"..": configFolder(t)} },
			`modules.m.grants.files.mounts."..": the name of a mount has letters, digits, ".", "-" and "_", and does not begin with a "." or "-"`,
		},
		{
			"relative mount", func(m *Module) { m.Grants.Files.Mounts = map[string]string{"index": "index"} },
			`modules.m.grants.files.mounts.index: must be an absolute path, not "index"`,
		},
		{"no cache", func(m *Module) { m.Grants.Cache.Bytes = 0 }, ""},
		{"less than no cache", func(m *Module) { m.Grants.Cache.Bytes = -1 }, "modules.m.grants.cache.bytes: must be a whole number from 0 to 2147483647, not -1"},
		{"no address", func(m *Module) { m.Grants.HTTP = []HTTPRule{DefaultHTTPRule()} }, "modules.m.grants.http[0].url: is required and must not be blank"},
		{"config", func(m *Module) { m.Config = make(chan int) }, "modules.m.config: cannot be sent as JSON: json: unsupported type: chan int"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, module := DefaultConfig(), validModule(t)
			c.change(&module)
			config.Modules["m"] = module
			err := config.Validate()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
			require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
		})
	}
}

func TestIDsAreUniqueOverBothTables(t *testing.T) {
	_, err := parse(t, good+"modules: {s: {path: m.wasm, extensionToLanguage: {.m: m}}}\n")
	require.EqualError(t, err, "navseam.yaml:2:11: modules.s: a server has this id: choose another\n"+
		"   2 | modules: {s: {path: m.wasm, extensionToLanguage: {.m: m}}}\n"+
		"     |           ^")
	_, err = parse(t, good+"modules: {' ': {path: m.wasm, extensionToLanguage: {.m: m}}}\n")
	require.ErrorContains(t, err, `modules." ": the id of a module must not be blank`)
}

// Which engines there are depends on the build; which there could be does not.
func TestEngineOfAnotherBuild(t *testing.T) {
	config, module := DefaultConfig(), validModule(t)
	module.Engine = "wasmtime"
	config.Modules["m"] = module
	err := config.Validate()
	for _, name := range sandbox.Engines() {
		if name == "wasmtime" {
			require.NoError(t, err)
			return
		}
	}
	require.EqualError(t, err, "modules.m.engine: this navseam was built without wasmtime: "+
		"build it with CGO_ENABLED=1 and -tags wasmtime, or choose wazero or wazero-interpreter")
}

// The folders that a module is to read are looked for when its provider is made.
func TestMountsAreFound(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	m := validModule(t)
	m.Grants.Files.Mounts = map[string]string{"a": dir}
	require.NoError(t, m.checkMounts("m"))
	m.Grants.Files.Mounts["b"] = file
	require.EqualError(t, m.checkMounts("m"), "modules.m.grants.files.mounts.b: "+file+" is no folder")
	gone := filepath.Join(dir, "gone")
	m.Grants.Files.Mounts["b"] = gone
	err := m.checkMounts("m")
	require.ErrorContains(t, err, "modules.m.grants.files.mounts.b: the folder "+gone+" cannot be read: ")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
}

// Every number of a module has a range, and one that is outside it is named.
func TestModuleRanges(t *testing.T) {
	const top = 2147483647
	for _, c := range []struct {
		key      string // below modules.m
		text     string // of that entry, with %s for the number
		min, max int
	}{
		{"maxDocumentBytes", "maxDocumentBytes: %s", 1, top},
		{"limits.memoryBytes", "limits: {memoryBytes: %s}", 65536, 1 << 30},
		{"limits.callTimeoutMs", "limits: {callTimeoutMs: %s}", 1, top},
		{"limits.loadTimeoutMs", "limits: {loadTimeoutMs: %s}", 1, top},
		{"limits.instances", "limits: {instances: %s}", 1, 64},
		{"limits.responseBytes", "limits: {responseBytes: %s}", 1, top},
		{"limits.locations", "limits: {locations: %s}", 1, top},
		{"limits.idleTimeoutMs", "limits: {idleTimeoutMs: %s}", 0, top},
		{"circuit.failures", "circuit: {failures: %s}", 1, top},
		{"circuit.cooldownMs", "circuit: {cooldownMs: %s}", 1, top},
		{"grants.cache.bytes", "grants: {cache: {bytes: %s}}", 0, top},
		{"grants.http[0].bodyBytes", "grants: {http: [{url: 'https://a.example/', bodyBytes: %s}]}", 1, 1073741824},
		{"grants.http[0].timeoutMs", "grants: {http: [{url: 'https://a.example/', timeoutMs: %s}]}", 1, top},
	} {
		t.Run(c.key, func(t *testing.T) {
			parseWith := func(n string) error {
				_, err := parse(t, "modules: {m: {path: m.wasm, extensionToLanguage: {.m: m}, "+fmt.Sprintf(c.text, n)+"}}")
				return err
			}
			for _, n := range []int{c.min, c.max} {
				require.NoError(t, parseWith(fmt.Sprint(n)), n)
			}
			for _, n := range []string{fmt.Sprint(c.min - 1), fmt.Sprint(c.max + 1), "-1", "1.5", "true", "18446744073709551615"} {
				require.ErrorContains(t, parseWith(n), fmt.Sprintf("modules.m.%s: must be a whole number from %d to %d, not ", c.key, c.min, c.max))
			}
		})
	}
}

// A module that waits for others to be compiled does not wait when nobody wants it any more.
func TestCompilingWaitsItsTurn(t *testing.T) {
	config := DefaultConfig()
	config.Modules["m"] = validModule(t)
	ended, end := context.WithCancel(t.Context())
	end()
	b := builder{host: &Host{}, config: config, compiling: make(chan struct{})} // never a turn
	made, err := b.provider(ended, "m")
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	require.Nil(t, made)
}
