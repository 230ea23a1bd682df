package mcp

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The variables of the environment that name a workspace.
const (
	WorkspaceVariable     = "NAVSEAM_WORKSPACE"
	projectFolderVariable = "CLAUDE_PROJECT_DIR"
)

// Folders are the workspaces that a process knows of by itself.
type Folders struct {
	Named    []string // by whoever started it: when there are any, no others count
	Fallback []string // for clients that name no folders
}

// FindFolders finds out which workspaces a process was given: by its flag, by the
// environment, or by where it was started. A fallback is for a process that one client
// has for itself: a server that many share is not where any of them works.
func FindFolders(flag string, getenv func(string) string, workingDir, home string) Folders {
	absolute := func(dir string) string {
		if filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
		return filepath.Join(workingDir, dir)
	}
	if flag != "" {
		return Folders{Named: []string{absolute(flag)}}
	}
	if named := getenv(WorkspaceVariable); named != "" {
		return Folders{Named: []string{absolute(named)}}
	}
	var f Folders
	if dir := getenv(projectFolderVariable); filepath.IsAbs(dir) {
		f.Fallback = append(f.Fallback, filepath.Clean(dir))
	}
	if isProject(workingDir, home, getenv) && !slices.Contains(f.Fallback, workingDir) {
		f.Fallback = append(f.Fallback, workingDir)
	}
	return f
}

// isProject reports whether somebody may work in a folder. Many clients start their servers
// in the root, the home folder, or wherever they are installed: to search that for code
// takes long and helps nobody.
func isProject(dir, home string, getenv func(string) string) bool {
	if !filepath.IsAbs(dir) || isWithin(home, dir) { // the home folder, or one above it
		return false
	}
	if dir == filepath.Dir(dir) || dir == filepath.Clean(os.TempDir()) {
		return false
	}
	return !slices.ContainsFunc(systemFolders(home, getenv), func(system string) bool { return isWithin(dir, system) })
}

// systemFolders are those that programs are installed in.
func systemFolders(home string, getenv func(string) string) []string {
	switch runtime.GOOS {
	case "windows":
		folders := []string{filepath.Join(home, "AppData")}
		for _, name := range []string{"SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData"} {
			if dir := getenv(name); filepath.IsAbs(dir) {
				folders = append(folders, dir)
			}
		}
		return folders
	case "darwin":
		return []string{"/Applications", "/System", "/Library", "/bin", "/sbin", "/etc", "/dev", "/usr", filepath.Join(home, "Library")}
	default:
		return []string{
			"/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/snap", "/sys",
			"/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/sbin", "/usr/share",
		}
	}
}

// isWithin reports whether a path is a folder or lies in it.
func isWithin(path, folder string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}
