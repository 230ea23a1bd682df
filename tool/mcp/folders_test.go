package mcp

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// abs makes a path absolute on every system.
func abs(path string) string {
	if runtime.GOOS == "windows" {
		path = "C:" + path
	}
	return filepath.FromSlash(path)
}

func TestFindFolders(t *testing.T) {
	home := abs("/home/ann")
	tests := map[string]struct {
		flag  string
		env   map[string]string
		cwd   string
		named []string
		other []string
	}{
		"the flag":                         {flag: abs("/folders/a"), env: map[string]string{"NAVSEAM_WORKSPACE": abs("/folders/b")}, cwd: abs("/folders/c"), named: []string{abs("/folders/a")}},
		"a relative flag":                  {flag: "a/..", cwd: abs("/folders/c"), named: []string{abs("/folders/c")}},
		"the environment":                  {env: map[string]string{"NAVSEAM_WORKSPACE": abs("/folders/b"), "CLAUDE_PROJECT_DIR": abs("/folders/d")}, cwd: abs("/folders/c"), named: []string{abs("/folders/b")}},
		"what a client did not fill in":    {env: map[string]string{"NAVSEAM_WORKSPACE": "${workspaceFolder}"}, cwd: abs("/folders/c"), named: []string{abs("/folders/c/${workspaceFolder}")}},
		"the client's variable, then here": {env: map[string]string{"CLAUDE_PROJECT_DIR": abs("/folders/d")}, cwd: abs("/folders/c"), other: []string{abs("/folders/d"), abs("/folders/c")}},
		"both the same":                    {env: map[string]string{"CLAUDE_PROJECT_DIR": abs("/folders/c/")}, cwd: abs("/folders/c"), other: []string{abs("/folders/c")}},
		"a variable that is no path":       {env: map[string]string{"CLAUDE_PROJECT_DIR": "d"}, cwd: abs("/folders/c"), other: []string{abs("/folders/c")}},
		"in the home folder":               {cwd: abs("/home/ann/src/x"), other: []string{abs("/home/ann/src/x")}},
		"not the home folder":              {cwd: home},
		"nor what holds it":                {cwd: abs("/home")},
		"nor the root":                     {cwd: abs("/")},
		"nor where nobody is":              {cwd: ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := FindFolders(test.flag, func(name string) string { return test.env[name] }, test.cwd, home)
			require.Equal(t, Folders{Named: test.named, Fallback: test.other}, found)
		})
	}
}

func TestSystemFoldersAreNoProjects(t *testing.T) {
	folders := []string{"/usr/bin", "/etc", "/usr/lib/node_modules/thing", "/proc/1", "/sys"}
	env := map[string]string{}
	switch runtime.GOOS {
	case "darwin":
		folders = []string{"/Applications/Client.app/Contents", "/System", "/usr/local/bin", "/Users/ann/Library/Application Support/Client"}
	case "windows":
		env["SystemRoot"] = `C:\Windows`
		folders = []string{`C:\Windows\System32`, `C:\`, `C:\Users\ann\AppData\Local\Client`}
	}
	home := map[string]string{"darwin": "/Users/ann", "windows": `C:\Users\ann`}[runtime.GOOS]
	for _, folder := range folders {
		require.False(t, isProject(folder, home, func(name string) string { return env[name] }), folder)
	}
}
