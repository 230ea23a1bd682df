package host

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
)

// codeToken is the secret of the tests.
const codeToken = "s3cret-token"

// parse reads a configuration that lies in a folder of the test's, with few variables.
func parse(t *testing.T, text string) (Config, error) {
	t.Helper()
	return Parse(Source{
		Name: "navseam.yaml",
		Data: []byte(text),
		Dir:  configFolder(t),
		LookupEnv: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": homeFolder(t), "EMPTY": "", "CODE_TOKEN": codeToken}[name]
			return value, ok
		},
	})
}

// configFolder is an absolute path on every system; nothing is there.
func configFolder(t *testing.T) string { return absolute(t, "/etc/navseam") }

func homeFolder(t *testing.T) string { return absolute(t, "/home/ann") }

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// one table of servers, by id. A-037: every key but command and the files has a
// default.
func TestDefaults(t *testing.T) {
	config, err := parse(t, "servers:\n  gopls:\n    command: gopls\n    extensionToLanguage: {\".go\": go}\n")
	require.NoError(t, err)
	require.Equal(t, Config{
		Servers: map[string]Server{"gopls": {
			Command:               "gopls",
			Args:                  nil,
			Env:                   nil,
			EnvAllow:              nil,
			ExtensionToLanguage:   map[string]string{".go": "go"},
			FileNameToLanguage:    nil,
			RootMarkers:           nil,
			InitializationOptions: nil,
			Configuration:         nil,
			Settings:              nil,
			StartTimeoutMs:        60000,
			ReadyTimeoutMs:        30000,
			ShutdownTimeoutMs:     5000,
			KillGraceMs:           2000,
			MaxMessageBytes:       16000000,
			MaxStderrBytes:        1000000,
			MaxDocumentBytes:      4000000,
			Instances:             1,
			IdleTimeoutMs:         900000,
			OpenDocuments:         16,
			DocumentIdleMs:        60000,
			Documents:             "leased",
			ReadyWhen:             nil,
			Freshness: Freshness{
				Notify:          true,
				Touch:           "all",
				TouchLimit:      64,
				BeyondLimit:     "incomplete",
				RestartOnDelete: true,
				SettleMs:        500,
				Skip: []string{
					".git", ".hg", ".jj", ".svn", ".cache", ".gradle", ".mypy_cache", ".pytest_cache", ".ruff_cache",
					".tox", ".venv", "__pycache__", "node_modules",
				},
				Events: true,
			},
			CancelRequests: true,
			Circuit:        Circuit{Failures: 5, CooldownMs: 30000},
		}},
		Modules:     map[string]Module{},
		Limits:      Limits{Processes: 8, QueryTimeoutMs: 60000},
		SourceRoots: nil,
		Tool:        ToolConfig{MaxLocations: 100, MaxResultChars: 16000, TimeoutMs: 60000, Snippets: true, Format: "lines"},
		Lenient:     false,
	}, config)
}

const everyKey = `
servers:
  one:
    command: /opt/one
    args: [--stdio, "-v"]
    env: {LEVEL: "3", EMPTY: ""}
    envAllow: [GITHUB_TOKEN]
    rootMarkers: [go.mod, "*.sln"]
    extensionToLanguage: {".a": alpha, ".b.c": beta}
    fileNameToLanguage: {Makefile: makefile}
    initializationOptions: {deep: [1, 2.5, -7, true, null, "1"]}
    configuration: [18446744073709551615]
    startTimeoutMs: 1
    readyTimeoutMs: 2
    shutdownTimeoutMs: 3
    killGraceMs: 4
    maxMessageBytes: 5
    maxStderrBytes: 6
    maxDocumentBytes: 7
    instances: 8
    idleTimeoutMs: 0
    openDocuments: 9
    documentIdleMs: 0
    documents: transient
    readyWhen: {log: "Found \\d+"}
    freshness: {notify: false, touch: new, touchLimit: 15, beyondLimit: restart, restartOnDelete: false, settleMs: 16, restartOn: [db.json], watch: [go.mod, "gen/**/*.proto"], skip: [out], events: false}
    cancelRequests: false
    circuit: {failures: 10, cooldownMs: 11}
  two:
    command: two
    fileNameToLanguage: {x: x}
    settings: {a.b: {c: text}}
    circuit: {failures: 12}
limits: {processes: 3, queryTimeoutMs: 13}
tool: {maxLocations: 14, maxResultChars: 15, timeoutMs: 16, snippets: false, format: grouped}
sourceRoots: [roots/one, "${env:HOME}/two"]
lenient: true
`

// any number of servers. A partly given circuit keeps the other default.
func TestEveryKeyIsRead(t *testing.T) {
	config, err := parse(t, everyKey)
	require.NoError(t, err)
	two := DefaultServer()
	two.Command = "two"
	two.FileNameToLanguage = map[string]string{"x": "x"}
	two.Settings = map[string]any{"a.b": map[string]any{"c": "text"}}
	two.Circuit.Failures = 12
	require.Equal(t, Config{
		Servers: map[string]Server{
			"one": {
				Command:               "/opt/one",
				Args:                  []string{"--stdio", "-v"},
				Env:                   map[string]string{"LEVEL": "3", "EMPTY": ""},
				EnvAllow:              []string{"GITHUB_TOKEN"},
				ExtensionToLanguage:   map[string]string{".a": "alpha", ".b.c": "beta"},
				FileNameToLanguage:    map[string]string{"Makefile": "makefile"},
				RootMarkers:           []string{"go.mod", "*.sln"},
				InitializationOptions: map[string]any{"deep": []any{uint64(1), 2.5, int64(-7), true, nil, "1"}},
				Configuration:         []any{uint64(18446744073709551615)},
				StartTimeoutMs:        1,
				ReadyTimeoutMs:        2,
				ShutdownTimeoutMs:     3,
				KillGraceMs:           4,
				MaxMessageBytes:       5,
				MaxStderrBytes:        6,
				MaxDocumentBytes:      7,
				Instances:             8,
				IdleTimeoutMs:         0,
				OpenDocuments:         9,
				DocumentIdleMs:        0,
				Documents:             "transient",
				ReadyWhen:             &ReadyWhen{Log: `Found \d+`},
				Freshness: Freshness{
					Notify: false, Touch: "new", TouchLimit: 15, BeyondLimit: "restart", RestartOnDelete: false, SettleMs: 16,
					RestartOn: []string{"db.json"}, Watch: []string{"go.mod", "gen/**/*.proto"}, Skip: []string{"out"}, Events: false,
				},
				CancelRequests: false,
				Circuit:        Circuit{Failures: 10, CooldownMs: 11},
			},
			"two": two,
		},
		Modules:     map[string]Module{},
		Limits:      Limits{Processes: 3, QueryTimeoutMs: 13},
		Tool:        ToolConfig{MaxLocations: 14, MaxResultChars: 15, TimeoutMs: 16, Snippets: false, Format: "grouped"},
		SourceRoots: []string{filepath.Join(configFolder(t), "roots", "one"), homeFolder(t) + "/two"},
		Lenient:     true,
	}, config)
}

func TestProviderGetsEveryKey(t *testing.T) {
	config, err := parse(t, everyKey)
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	got, err := config.native("one", Options{Supervisor: []string{"/bin/navseam", "supervise"}, Log: log})
	require.NoError(t, err)
	require.Equal(t, stdio.Config{
		ID: "one",
		Routes: seam.Routes{
			Extensions: map[string]string{".a": "alpha", ".b.c": "beta"},
			FileNames:  map[string]string{"Makefile": "makefile"},
		},
		Command:               "/opt/one",
		Args:                  []string{"--stdio", "-v"},
		Env:                   map[string]string{"LEVEL": "3", "EMPTY": ""},
		EnvAllow:              []string{"GITHUB_TOKEN"},
		RootMarkers:           []string{"go.mod", "*.sln"},
		InitializationOptions: json.RawMessage(`{"deep":[1,2.5,-7,true,null,"1"]}`),
		Configuration:         json.RawMessage(`[18446744073709551615]`),
		Settings:              nil,
		MaxMessageBytes:       5,
		MaxStderrBytes:        6,
		MaxDocumentBytes:      7,
		StartTimeout:          time.Millisecond,
		ReadyTimeout:          2 * time.Millisecond,
		ShutdownTimeout:       3 * time.Millisecond,
		KillGrace:             4 * time.Millisecond,
		QueryTimeout:          13 * time.Millisecond,
		IdleTimeout:           0,
		DocumentIdle:          0,
		ReadyWhen:             stdio.ReadyWhen{Log: `Found \d+`},
		Freshness: stdio.Freshness{
			Touch: stdio.TouchNew, TouchLimit: 15, RestartOnMore: true, Settle: 16 * time.Millisecond,
			RestartOn: []string{"db.json"}, Watch: []string{"go.mod", "gen/**/*.proto"}, Skip: []string{"out"},
		},
		Transient:      true,
		OpenDocuments:  9,
		Instances:      8,
		CancelRequests: false,
		Circuit:        stdio.Circuit{Failures: 10, Cooldown: 11 * time.Millisecond},
		SourceRoots:    []string{filepath.Join(configFolder(t), "roots", "one"), homeFolder(t) + "/two"},
		Supervisor:     []string{"/bin/navseam", "supervise"},
		Log:            log,
	}, got)

	got, err = config.native("two", Options{})
	require.NoError(t, err)
	require.JSONEq(t, `{"a.b": {"c": "text"}}`, string(got.Settings))
	require.Nil(t, got.InitializationOptions)
	require.Nil(t, got.Configuration)
	require.False(t, got.Transient)
}

// nothing is discovered, and there are no presets.
func TestNoServerWithoutAnEntry(t *testing.T) {
	require.Empty(t, DefaultConfig().Servers)
	require.Empty(t, DefaultServer().Command)
	require.Empty(t, DefaultServer().ExtensionToLanguage)
	config, err := parse(t, "servers: {only: {command: only, extensionToLanguage: {.x: x}}}")
	require.NoError(t, err)
	require.Len(t, config.Servers, 1)
	require.Contains(t, config.Servers, "only")
}

func TestYAMLForms(t *testing.T) {
	want := Config{Servers: map[string]Server{}, Modules: map[string]Module{}, Limits: Limits{Processes: 8, QueryTimeoutMs: 60000}, Tool: DefaultConfig().Tool}
	a := DefaultServer()
	a.Command, a.Args = "a", []string{"x"}
	a.ExtensionToLanguage = map[string]string{".a": "a"}
	want.Servers["a"] = a
	for name, text := range map[string]string{
		"block":            "servers:\n  a:\n    command: a\n    args:\n      - x\n    extensionToLanguage:\n      .a: a\n",
		"flow":             "servers: {a: {command: a, args: [x], extensionToLanguage: {.a: a}}}",
		"JSON":             `{"servers": {"a": {"command": "a",` + "\n\t" + `"args": ["x"], "extensionToLanguage": {".a": "a"}}}}`,
		"CRLF":             "servers:\r\n  a:\r\n    command: a\r\n    args: [x]\r\n    extensionToLanguage: {.a: a}\r\n",
		"byte order mark":  "\ufeffservers: {a: {command: a, args: [x], extensionToLanguage: {.a: a}}}",
		"document markers": "# first\n---\nservers: {a: {command: a, args: [x], extensionToLanguage: {.a: a}}}\n...\n",
		"empty keys":       "lenient:\nlimits:\ntool: {format: , snippets: }\nsourceRoots:\nservers: {a: {command: a, args: [x], env: , settings: ~, readyWhen: , killGraceMs: , extensionToLanguage: {.a: a}}}",
		"hexadecimal":      "servers: {a: {command: a, args: [x], killGraceMs: 0x7d0, extensionToLanguage: {.a: a}}}",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(t, text)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestAnchorsAndMerges(t *testing.T) {
	config, err := parse(t, `
servers:
  a: &a
    command: &program x
    args: [*program, "1"]
    extensionToLanguage: &routes {.a: a}
    killGraceMs: 7
  b:
    <<: *a
    command: b
    extensionToLanguage: {.b: b, <<: *routes}
  c:
    command: c
    <<: [{killGraceMs: 8}, *a]
`)
	require.NoError(t, err)
	b, c := config.Servers["b"], config.Servers["c"]
	require.Equal(t, []string{"x", "1"}, b.Args)
	require.Equal(t, "b", b.Command, "what is written wins")
	require.Equal(t, 7, b.KillGraceMs)
	require.Equal(t, map[string]string{".a": "a", ".b": "b"}, b.ExtensionToLanguage)
	require.Equal(t, "c", c.Command)
	require.Equal(t, 8, c.KillGraceMs, "the first of a list wins")
	require.Equal(t, []string{"x", "1"}, c.Args)
}
