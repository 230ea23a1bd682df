package host

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func validServer() Server {
	s := DefaultServer()
	s.Command = "x"
	s.ExtensionToLanguage = map[string]string{".x": "x"}
	return s
}

func withServer(id string, change func(*Server)) Config {
	c, s := DefaultConfig(), validServer()
	change(&s)
	c.Servers[id] = s
	return c
}

func withTool(change func(*ToolConfig)) Config {
	c := withServer("s", func(*Server) {})
	change(&c.Tool)
	return c
}

// every number has a range, and one that is outside it is named. In Go as
// in a file.
func TestRanges(t *testing.T) {
	const top = 2147483647
	for _, c := range []struct {
		key      string // below servers.s, or from the top
		min, max int
	}{
		{"shutdownTimeoutMs", 1, top},
		{"killGraceMs", 1, top},
		{"maxStderrBytes", 1, top},
		{"maxMessageBytes", 1, top},
		{"maxDocumentBytes", 1, top},
		{"startTimeoutMs", 1, top},
		{"readyTimeoutMs", 1, top},
		{"instances", 1, 64},
		{"idleTimeoutMs", 0, top},
		{"openDocuments", 1, 1024},
		{"documentIdleMs", 0, top},
		{"circuit.failures", 1, top},
		{"circuit.cooldownMs", 1, top},
		{"limits.processes", 1, 64},
		{"limits.queryTimeoutMs", 1, top},
		{"tool.maxLocations", 1, top},
		{"tool.maxResultChars", 1, top},
		{"tool.timeoutMs", 1, top},
	} {
		t.Run(c.key, func(t *testing.T) {
			for _, n := range []int64{int64(c.min), int64(c.max)} {
				_, err := parse(t, fileWith(c.key, fmt.Sprint(n)))
				require.NoError(t, err, "%d", n)
			}
			for _, n := range []string{fmt.Sprint(c.min - 1), fmt.Sprint(int64(c.max) + 1), "-1", "1.5", "1.0", `"1"`, "true", "[1]", "18446744073709551615"} {
				_, err := parse(t, fileWith(c.key, n))
				require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err), n)
				require.ErrorContains(t, err, fmt.Sprintf("%s: must be a whole number from %d to %d, not ", fullKey(c.key), c.min, c.max))
			}
		})
	}
}

func fullKey(key string) string {
	if strings.HasPrefix(key, "limits.") || strings.HasPrefix(key, "tool.") {
		return key
	}
	return "servers.s." + key
}

func fileWith(key, value string) string {
	group, name, nested := strings.Cut(key, ".")
	switch {
	case group == "limits", group == "tool":
		return "servers: {s: {command: x, extensionToLanguage: {.x: x}}}\n" + group + ": {" + name + ": " + value + "}"
	case nested:
		return "servers: {s: {command: x, extensionToLanguage: {.x: x}, " + group + ": {" + name + ": " + value + "}}}"
	}
	return "servers: {s: {command: x, extensionToLanguage: {.x: x}, " + key + ": " + value + "}}"
}

func TestValidate(t *testing.T) {
	unmade := DefaultConfig()
	for _, c := range []struct {
		name   string
		config Config
		want   string // empty: valid
	}{
		{"good", withServer("s", func(*Server) {}), ""},
		{"never idle", withServer("s", func(s *Server) { s.IdleTimeoutMs, s.DocumentIdleMs = 0, 0 }), ""},
		{"A-038 no server", unmade, "servers: at least one server is required here, or a module under modules: give an id, and under it its command or path and the files that it serves"},
		{"A-039 blank id", withServer(" \t", func(*Server) {}), `servers." \t": the id of a server must not be blank`},
		{"A-037 no command", withServer("s", func(s *Server) { s.Command = " " }), "servers.s.command: is required and must not be blank"},
		{
			"A-037 no files", withServer("s", func(s *Server) { s.ExtensionToLanguage = nil }),
			`servers.s.extensionToLanguage: at least one entry is required here or under fileNameToLanguage, such as ".go": go`,
		},
		{"A-040 zero", withServer("my.s", func(s *Server) { s.KillGraceMs = 0 }), `servers."my.s".killGraceMs: must be a whole number from 1 to 2147483647, not 0`},
		{"A-041 negative", withServer("s", func(s *Server) { s.MaxStderrBytes = -1 }), "servers.s.maxStderrBytes: must be a whole number from 1 to 2147483647, not -1"},
		{"file names alone", withServer("s", func(s *Server) {
			s.ExtensionToLanguage, s.FileNameToLanguage = nil, map[string]string{"Makefile": "makefile"}
		}), ""},
		{
			"bad extension", withServer("s", func(s *Server) { s.ExtensionToLanguage["."] = "x" }),
			`servers.s.extensionToLanguage.".": extension "." is not usable: write a dot and then characters other than a dot, / or \, as in ".go" or ".blade.php"`,
		},
		{
			"blank language", withServer("s", func(s *Server) { s.ExtensionToLanguage[".y"] = " " }),
			`servers.s.extensionToLanguage.".y": the language id of ".y" is blank: name one, as in "go"`,
		},
		{
			"one extension twice", withServer("s", func(s *Server) { s.ExtensionToLanguage["X"] = "x" }),
			`servers.s.extensionToLanguage: extension ".x" is given twice (case and the leading dot do not count): keep one`,
		},
		{
			"bad file name", withServer("s", func(s *Server) { s.FileNameToLanguage = map[string]string{"a/b": "x"} }),
			`servers.s.fileNameToLanguage."a/b": file name "a/b" is not usable: write a base name such as "Makefile"`,
		},
		{
			"both ways to configure", withServer("s", func(s *Server) { s.Configuration, s.Settings = 1, 2 }),
			"servers.s.settings: cannot go with configuration: keep one of them",
		},
		{
			"not JSON", withServer("s", func(s *Server) { s.Settings = map[string]any{"x": math.NaN()} }),
			"servers.s.settings: cannot be sent as JSON: json: unsupported value: NaN",
		},
		{
			"bad variable", withServer("s", func(s *Server) { s.Env = map[string]string{"A=B": "c"} }),
			`servers.s.env."A=B": is no name of a variable: it must not be empty or contain =`,
		},
		{
			"bad allowed variable", withServer("s", func(s *Server) { s.EnvAllow = []string{"A", ""} }),
			`servers.s.envAllow[1]: "" is no name of a variable: it must not be empty or contain =`,
		},
		{"root markers", withServer("s", func(s *Server) {
			s.RootMarkers = []string{"go.mod", ".git", "*.csproj", "a b", "[mM]akefile", "...", "CMakeLists.txt"}
		}), ""},
		{
			"blank root marker", withServer("s", func(s *Server) { s.RootMarkers = []string{"go.mod", " "} }),
			"servers.s.rootMarkers[1]: must not be blank: name a file or folder, such as go.mod",
		},
		{
			"root markers that are paths", withServer("s", func(s *Server) { s.RootMarkers = []string{"a/go.mod", `a\go.mod`, "..", ".", "/"} }),
			`servers.s.rootMarkers[0]: must be the name of a file or folder in the project, such as go.mod, and no path, not "a/go.mod"
servers.s.rootMarkers[1]: must be the name of a file or folder in the project, such as go.mod, and no path, not "a\\go.mod"
servers.s.rootMarkers[2]: must be the name of a file or folder in the project, such as go.mod, and no path, not ".."
servers.s.rootMarkers[3]: must be the name of a file or folder in the project, such as go.mod, and no path, not "."
servers.s.rootMarkers[4]: must be the name of a file or folder in the project, such as go.mod, and no path, not "/"`,
		},
		{
			"malformed root marker", withServer("s", func(s *Server) { s.RootMarkers = []string{"*.[ch"} }),
			`servers.s.rootMarkers[0]: must be a name or a pattern, such as *.sln, not "*.[ch": in a pattern each [ needs a ]`,
		},
		{
			"root marker for all folders", withServer("s", func(s *Server) { s.RootMarkers = []string{"**"} }),
			`servers.s.rootMarkers[0]: must not be "**", which makes every folder a project`,
		},
		{
			"root marker twice", withServer("s", func(s *Server) { s.RootMarkers = []string{"a", "b", "a"} }),
			`servers.s.rootMarkers[2]: "a" is given twice: keep one`,
		},
		{
			"zero byte in a root marker", withServer("s", func(s *Server) { s.RootMarkers = []string{"a\x00"} }),
			"servers.s.rootMarkers[0]: must not contain a zero byte",
		},
		{"zero byte", withServer("s", func(s *Server) { s.Args = []string{"a\x00b"} }), "servers.s.args[0]: must not contain a zero byte"},
		{"format", withTool(func(c *ToolConfig) { c.Format = "table" }), `tool.format: must be lines or grouped, not "table"`},
		{"no format", withTool(func(c *ToolConfig) { c.Format = "" }), `tool.format: must be lines or grouped, not ""`},
		{"A-198 zero", withTool(func(c *ToolConfig) { c.MaxLocations = 0 }), "tool.maxLocations: must be a whole number from 1 to 2147483647, not 0"},
		{"documents", withServer("s", func(s *Server) { s.Documents = "" }), `servers.s.documents: must be leased or transient, not ""`},
		{"ready by status", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Status: "quiescent"} }), ""},
		{"ready by answers", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Answers: true} }), ""},
		{
			"ready by nothing", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{} }),
			"servers.s.readyWhen: must have exactly one of progress, log, status and answers, not 0",
		},
		{
			"ready by two", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Progress: "x", Answers: true} }),
			"servers.s.readyWhen: must have exactly one of progress, log, status and answers, not 2",
		},
		{
			"unknown status", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Status: "ok"} }),
			`servers.s.readyWhen.status: must be quiescent, not "ok"`,
		},
		{
			"bad pattern", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Log: "a("} }),
			"servers.s.readyWhen.log: must be a Go regular expression: error parsing regexp: missing closing ): `a(`",
		},
		{
			"after open", withServer("s", func(s *Server) { s.ReadyWhen = &ReadyWhen{Answers: true, AfterOpen: true} }),
			"servers.s.readyWhen.afterOpen: goes with progress alone: leave it out",
		},
		{
			"watched files", withServer("s", func(s *Server) {
				s.Freshness.Watch = []string{"go.mod", " ", "/etc/x", "../x", "a//b", "[x", "{a,b}/**/*.c"}
			}),
			`servers.s.freshness.watch[1]: must not be blank: name a file, such as go.mod
servers.s.freshness.watch[2]: must be a name or a plain path below the folder where the server works, not "/etc/x"
servers.s.freshness.watch[3]: must be a name or a plain path below the folder where the server works, not "../x"
servers.s.freshness.watch[4]: must be a name or a plain path below the folder where the server works, not "a//b"
servers.s.freshness.watch[5]: must be a name or a pattern, such as tsconfig*.json, not "[x": each [ needs a ], and each { a }`,
		},
		{
			"skipped folders", withServer("s", func(s *Server) { s.Freshness.Skip = []string{"out", "", "a/b", ".."} }),
			`servers.s.freshness.skip[1]: must be the name of a folder, and no path, not ""
servers.s.freshness.skip[2]: must be the name of a folder, and no path, not "a/b"
servers.s.freshness.skip[3]: must be the name of a folder, and no path, not ".."`,
		},
		{
			"touch", withServer("s", func(s *Server) { s.Freshness.Touch, s.Freshness.TouchLimit, s.Freshness.SettleMs = "some", 0, -1 }),
			`servers.s.freshness.touch: must be none or folders or new or all, not "some"
servers.s.freshness.touchLimit: must be a whole number from 1 to 2147483647, not 0
servers.s.freshness.settleMs: must be a whole number from 0 to 2147483647, not -1`,
		},
		{
			"several", withServer("s", func(s *Server) { s.Command, s.Instances = "", 65 }),
			"servers.s.command: is required and must not be blank\nservers.s.instances: must be a whole number from 1 to 64, not 65",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.config.Validate()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
			require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
		})
	}
}

func TestValidateSourceRoots(t *testing.T) {
	c := withServer("s", func(*Server) {})
	c.SourceRoots = []string{configFolder(t)}
	require.NoError(t, c.Validate())
	c.SourceRoots = []string{configFolder(t), "src", "~/go"}
	require.EqualError(t, c.Validate(), `sourceRoots[1]: must be an absolute path, not "src"
sourceRoots[2]: must be an absolute path, not "~/go": in a config file, write ${env:HOME} for ~`)
}

func TestManyProblemsAreCutShort(t *testing.T) {
	c := withServer("s", func(s *Server) { s.EnvAllow = make([]string, 23) })
	err := c.Validate()
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 21)
	require.Equal(t, "and 3 more", lines[20])
}
