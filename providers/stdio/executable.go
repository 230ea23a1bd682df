package stdio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Executable finds the program that a command names, in the environment that the server
// will have: an absolute path as it is, a bare name on PATH. A relative path is refused,
// because it would depend on where the host was started; so are PATH entries that are
// empty or relative skipped.
func Executable(command string, env []string) (string, error) {
	switch {
	case strings.TrimSpace(command) == "":
		return "", seam.Errorf(seam.CodeInvalidConfig, "the command is empty: name a program on PATH or an absolute path")
	case filepath.IsAbs(command):
		return absoluteExecutable(command, env)
	case strings.ContainsAny(command, `/\`):
		return "", seam.Errorf(seam.CodeInvalidConfig,
			"command %q is a relative path: use an absolute one, or ${configDir}/… for one relative to the config file", command)
	}
	windows := runtime.GOOS == "windows"
	for _, folder := range filepath.SplitList(lookup(env, "PATH", windows)) {
		if !filepath.IsAbs(folder) {
			continue
		}
		for _, name := range executableNames(command, env, windows) {
			if path := filepath.Join(folder, name); isExecutable(path, windows) {
				return path, nil
			}
		}
	}
	return "", seam.Errorf(seam.CodeInvalidConfig,
		"command %q was not found on PATH: install it, or give its absolute path", command).WithReason(seam.ReasonMissing)
}

func absoluteExecutable(command string, env []string) (string, error) {
	windows := runtime.GOOS == "windows"
	for _, name := range executableNames(command, env, windows) {
		if isExecutable(name, windows) {
			return name, nil
		}
	}
	if _, err := os.Stat(command); err != nil {
		failed := seam.Errorf(seam.CodeInvalidConfig, "command %q cannot be used: %w", command, err)
		if errors.Is(err, fs.ErrNotExist) {
			failed.Reason = seam.ReasonMissing
		}
		return "", failed
	}
	return "", seam.Errorf(seam.CodeInvalidConfig, "command %q is not an executable file", command)
}

// executableNames are the file names to try. Windows adds the extensions of PATHEXT to a
// name that has none.
func executableNames(command string, env []string, windows bool) []string {
	if !windows || filepath.Ext(command) != "" {
		return []string{command}
	}
	extensions := lookup(env, "PATHEXT", true)
	if extensions == "" {
		extensions = ".COM;.EXE;.BAT;.CMD"
	}
	var names []string
	for extension := range strings.SplitSeq(extensions, ";") {
		if extension != "" {
			names = append(names, command+extension)
		}
	}
	return names
}

func isExecutable(path string, windows bool) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (windows || info.Mode().Perm()&0o111 != 0)
}
