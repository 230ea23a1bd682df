package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

func TestAddGrant(t *testing.T) {
	folder := t.TempDir()
	rule := func(url string, private bool, methods ...string) host.HTTPRule {
		rule := host.DefaultHTTPRule()
		rule.URL, rule.Private, rule.Methods = url, private, methods
		return rule
	}
	for text, want := range map[string]host.Grants{
		"files":                            {Files: host.FileGrant{Workspace: true}},
		"files:index=" + folder:            {Files: host.FileGrant{Mounts: map[string]string{"index": folder}}},
		"http:https://example.com/":        {HTTP: []host.HTTPRule{rule("https://example.com/", false)}},
		"http:GET,POST=https://a.example/": {HTTP: []host.HTTPRule{rule("https://a.example/", false, "GET", "POST")}},
		"http-private:http://localhost:1/": {HTTP: []host.HTTPRule{rule("http://localhost:1/", true)}},
		"cache":                            {Cache: host.CacheGrant{Bytes: 16777216}},
		"cache:1000":                       {Cache: host.CacheGrant{Bytes: 1000}},
	} {
		var got host.Grants
		require.NoError(t, addGrant(&got, text), text)
		require.Equal(t, want, got, text)
	}
}

func TestAddGrantRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for text, why := range map[string]string{
		"":                              "no such grant",
		"everything":                    "no such grant",
		"files:":                        "files:NAME=FOLDER",
		"files:index":                   "files:NAME=FOLDER",
		"files:index=":                  "files:NAME=FOLDER",
		"files:workspace=.":             "the workspace's",
		"files:index=" + file:           "is no folder",
		"files:index=" + file + ".gone": "file.gone",
		"http":                          "http:URL",
		"http:":                         "http:URL",
		"http:ftp://example.com/":       "ftp",
		"http:https://a.example/?b=c":   "url: a query", // and not: a method
		"cache:":                        "cache:BYTES",
		"cache:0":                       "cache:BYTES",
		"cache:much":                    "cache:BYTES",
	} {
		require.ErrorContains(t, addGrant(&host.Grants{}, text), why, text)
	}
	var twice host.Grants
	require.NoError(t, addGrant(&twice, "files:a=."))
	require.ErrorContains(t, addGrant(&twice, "files:a=.."), "two folders a")
}

func TestMissingGrants(t *testing.T) {
	report := sandbox.Report{
		Permissions: []string{"files", "http", "cache"},
		Imports:     []sandbox.ImportReport{{Name: "file_open", Grant: "files"}, {Name: "file_close", Grant: "files"}, {Name: "http_read", Grant: "http"}, {Name: "cache_get", Grant: "cache"}},
	}
	err := missingGrants("m.wasm", report, host.Grants{})
	require.Len(t, flatten(err), 3)
	require.ErrorContains(t, err, "file_open, file_close")
	require.ErrorContains(t, err, "--grant files")
	require.ErrorContains(t, err, "--grant http:URL")
	require.ErrorContains(t, err, "--grant cache")
	require.Equal(t, statusUsage, exitStatus(err))
	given := host.Grants{HTTP: []host.HTTPRule{{}}, Cache: host.CacheGrant{Bytes: 1}, Files: host.FileGrant{Mounts: map[string]string{"a": "/a"}}}
	require.NoError(t, missingGrants("m.wasm", report, given))
}

func TestInspectionText(t *testing.T) {
	report := sandbox.Report{
		Kind: "a module", Size: 12, SHA256: "ab", ABI: 1, Operations: []string{"hover"},
		Initialize: true, Load: true, MinMemory: 65536, MaxMemory: 131072,
		Imports:  []sandbox.ImportReport{{Module: "m", Name: "a\nverdict acceptable", Signature: "() -> ()"}},
		Budgets:  []sandbox.Budget{{What: "functions", Used: 3, Limit: 10}, {What: "nesting", Used: 11, Limit: 10}},
		Problems: []string{"one", "two"},
	}
	require.Equal(t, `file               a.wasm
kind               a module
size               12 bytes
sha256             ab
abi                version 1
operations         hover (not goToDefinition, findReferences, goToImplementation)
permissions        none: it sees the document that it is asked about
runs first         _initialize, then load
memory             65536 bytes at first, 131072 at most
imports            m.a\nverdict acceptable () -> ()
budgets            functions: 3 of 10
                   nesting: 11 of 10   too many
verdict            refused
problems           one
                   two`, inspected("a.wasm", report).text())
	var out bytes.Buffer
	require.NoError(t, (&console{stdout: &out}).printJSON(inspected("b", sandbox.Report{})))
	require.NotContains(t, out.String(), "null")
}

func TestPositionsIn(t *testing.T) {
	at := func(line, character int) seam.Position { return seam.Position{Line: line, Character: character} }
	for text, want := range map[string][]seam.Position{
		"":               {at(0, 0)},
		"word":           {at(0, 0), at(0, 2), at(0, 4)},
		"a\r\nbcde\r\nf": {at(0, 0), at(1, 2), at(2, 1)},
		"one\n":          {at(0, 0), at(0, 1), at(1, 0)},
		"😀😀😀":            {at(0, 0), at(0, 3), at(0, 6)},
	} {
		require.Equal(t, want, positionsIn(text), "%q", text)
	}
	for name, text := range builtinDocuments() {
		for _, position := range positionsIn(text) {
			require.NoError(t, seam.CheckPosition(text, position), name)
		}
	}
}

func TestSettingsFrom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	require.NoError(t, os.WriteFile(file, []byte(" {\"n\": 12345678901234567890} "), 0o600))
	for _, text := range []string{`{"n": 12345678901234567890}`, "@" + file} {
		settings, err := settingsFrom(text)
		require.NoError(t, err)
		var c bytes.Buffer
		require.NoError(t, (&console{stdout: &c}).printJSON(settings))
		require.Equal(t, "{\"n\":12345678901234567890}\n", c.String())
	}
	for _, text := range []string{"", "{", "{} {}", "@" + file + ".gone", "@" + filepath.Dir(file)} {
		_, err := settingsFrom(text)
		require.Error(t, err, text)
	}
}

func TestLanguageOf(t *testing.T) {
	for name, want := range map[string]string{
		"main.go": "go", "go.mod": "go.mod", "A.TS": "typescript", "schema.graphql": "graphql",
		"notes.txt": "plaintext", "Makefile": "plaintext", "odd.": "plaintext",
	} {
		require.Equal(t, want, trial{}.languageOf(name), name)
	}
	require.Equal(t, "given", trial{language: "given"}.languageOf("main.go"))
}
