package stdio

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestExecutable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes are a matter of Unix")
	}
	first, second := t.TempDir(), t.TempDir()
	put := func(folder, name string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, nil, mode))
		return path
	}
	plain := put(first, "tool", 0o644)
	tool := put(second, "tool", 0o755)
	put(first, "both", 0o755)
	put(second, "both", 0o755)
	require.NoError(t, os.Mkdir(filepath.Join(first, "folder"), 0o755))
	t.Chdir(second)
	env := []string{"PATH=" + strings.Join([]string{"", ".", first, second}, string(filepath.ListSeparator))}

	cases := []struct {
		name, command, want, says string
	}{
		{"A-050 absolute", tool, tool, ""},
		{"A-050 not executable", plain, "", "is not an executable file"},
		{"A-050 folder", first, "", "is not an executable file"},
		{"A-050 missing", filepath.Join(first, "none"), "", "no such file"},
		{"A-051 the first that is executable", "tool", tool, ""},
		{"A-051 in order", "both", filepath.Join(first, "both"), ""},
		{"A-051 a folder is none", "folder", "", "was not found on PATH"},
		{"A-051 nowhere", "nothing", "", "was not found on PATH"},
		{"A-052 relative", "./tool", "", "relative path"},
		{"A-052 relative with a backslash", `bin\tool`, "", "relative path"},
		{"A-052 empty", "", "", "empty"},
		{"A-052 blank", " ", "", "empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Executable(c.command, env)
			require.Equal(t, c.want, got)
			if c.says != "" {
				require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
				require.ErrorContains(t, err, c.says)
			}
		})
	}
	// A-053 corrected: empty and relative entries of PATH are skipped.
	_, err := Executable("tool", []string{"PATH=:.:" + first})
	require.ErrorContains(t, err, "was not found on PATH")
}

// on Windows a name without extension is tried with those of PATHEXT.
func TestExecutableNames(t *testing.T) {
	require.Equal(t, []string{"x.COM", "x.EXE", "x.BAT", "x.CMD"}, executableNames("x", nil, true))
	require.Equal(t, []string{"x.PS1"}, executableNames("x", []string{"PathExt=.PS1;"}, true))
	require.Equal(t, []string{"x.exe"}, executableNames("x.exe", nil, true))
	require.Equal(t, []string{"x"}, executableNames("x", nil, false))
}
