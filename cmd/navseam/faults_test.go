package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// The scripts run each fault with a server or module that has it; this sees to it that none
// is forgotten, and that none is made up there.
func TestEveryFaultHasAScript(t *testing.T) {
	scripts, err := filepath.Glob("testdata/check_faults*.txtar")
	require.NoError(t, err)
	var text strings.Builder
	for _, script := range scripts {
		data, err := os.ReadFile(script)
		require.NoError(t, err)
		text.Write(data)
	}
	for _, f := range faults() {
		require.Contains(t, text.String(), `"fault":"`+f.name+`"`, "no script shows it")
	}
}

// What no row knows has advice too.
func TestFaultsThatNobodyKnows(t *testing.T) {
	for _, err := range []*seam.Error{
		seam.Errorf(seam.CodeInternal, "a bug"),
		seam.Errorf(seam.CodeSourceRejected, "gone meanwhile").WithReason(seam.ReasonMissing),
	} {
		require.Equal(t, "other", diagnose(host.KindNative, asked, err).name)
		require.Equal(t, "other", diagnose(host.KindModule, asked, err).name)
	}
}

// A program's own words decide where ours say the same: settings in the text of a usage are
// none that the server wants.
func TestSymptoms(t *testing.T) {
	reply := func(message string) *seam.Error {
		return seam.Errorf(seam.CodeProviderFailed, "answered with an error about settings: %w", &seam.ServerError{Message: message})
	}
	exit := func(stderr string) *seam.Error {
		return seam.Errorf(seam.CodeProviderFailed, "language server exited\n%s", stderr).WithReason(seam.ReasonExit)
	}
	tests := map[string]struct {
		at   phase
		err  *seam.Error
		want string
	}{
		"unknown flag":           {started, exit("flag provided but not defined: -stdio"), "wrong-arguments"},
		"usage with settings":    {started, exit("Usage: x [--settings FILE]"), "wrong-arguments"},
		"silent exit":            {started, exit(""), "wrong-arguments"},
		"TypeScript is missing":  {started, reply("Could not find a valid TypeScript installation. Please ensure that the \"typescript\" dependency is installed"), "wants-settings"},
		"no SDK":                 {started, exit("The Dart SDK was not found"), "wants-settings"},
		"go.mod":                 {asked, reply("go: go.mod file not found in current directory or any parent directory"), "wrong-project-root"},
		"outside of the project": {asked, reply("a.ts is outside of the workspace"), "wrong-project-root"},
		"no such symbol":         {asked, reply("no identifier found"), "questions-refused"},
		"our own word":           {started, reply("no"), "handshake-refused"},
		"crash":                  {asked, exit("panic: nil"), "crashed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, diagnose(host.KindNative, test.at, test.err).name)
		})
	}
}

func TestHints(t *testing.T) {
	require.Equal(t, "install it: go install golang.org/x/tools/gopls@latest", installHint("gopls"))
	require.Equal(t, "install it: npm install -g pyright", installHint("/opt/bin/pyright-langserver"))
	require.Equal(t, "install it", installHint("my-server"))
	require.Equal(t, "; it is usually started as: gopls serve", usualHint("/opt/gopls.exe"))
	require.Empty(t, usualHint("my-server"))
}

// tableOfFaults is how the documentation shows the table.
func tableOfFaults() string {
	var b strings.Builder
	b.WriteString("| fault | what it means | what to do |\n|---|---|---|\n")
	shown := map[string]bool{}
	fill := strings.NewReplacer("{id}", "ID", "{install}", "install it", "{usual}", "")
	for _, f := range append(faults(), otherFault()) {
		if !shown[f.name] {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, fill.Replace(f.meaning), fill.Replace(f.remedy))
		}
		shown[f.name] = true
	}
	return b.String()
}

const (
	tableBegins = "<!-- faults: written by \"UPDATE_FAULTS=1 go test -run FaultsAreDocumented ./cmd/navseam\" -->\n"
	tableEnds   = "<!-- end of faults -->\n"
)

func TestFaultsAreDocumented(t *testing.T) {
	const page = "../../docs/troubleshooting.md"
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, begins := strings.Cut(string(data), tableBegins)
	written, after, ends := strings.Cut(rest, tableEnds)
	require.True(t, begins && ends, "the page has no place for the table")
	if os.Getenv("UPDATE_FAULTS") != "" {
		text := before + tableBegins + tableOfFaults() + tableEnds + after
		require.NoError(t, os.WriteFile(page, []byte(text), 0o644))
		return
	}
	require.Equal(t, tableOfFaults(), written)
}
