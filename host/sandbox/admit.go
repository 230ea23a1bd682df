package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/navseam/navseam/seam"
)

// MaxModuleBytes is the size of the largest file that is read.
const MaxModuleBytes = 64 << 20

// stamp is how a file looked when it was read.
type stamp struct{ info fs.FileInfo }

// same reports whether it looks alike still.
func (s stamp) same(info fs.FileInfo) bool {
	return s.info != nil && os.SameFile(s.info, info) && s.info.Size() == info.Size() && s.info.ModTime().Equal(info.ModTime())
}

// ReadModule reads a module's file. It fails with LSP_INVALID_CONFIG where there is none.
func ReadModule(path string) ([]byte, error) {
	data, _, err := readModule(path)
	return data, err
}

func readModule(path string) ([]byte, stamp, error) {
	info, err := os.Stat(path) // before it is opened: a FIFO would hold us
	if err != nil {
		return nil, stamp{}, unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, stamp{}, unreadable(path, errors.New("not a regular file"))
	}
	if info.Size() > MaxModuleBytes {
		return nil, stamp{}, unreadable(path, fmt.Errorf("%d bytes, more than the %d that a module may have", info.Size(), MaxModuleBytes))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, stamp{}, unreadable(path, err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	if info, err = file.Stat(); err != nil {
		return nil, stamp{}, unreadable(path, err)
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxModuleBytes+1))
	switch {
	case err != nil:
		return nil, stamp{}, unreadable(path, err)
	case len(data) > MaxModuleBytes:
		return nil, stamp{}, unreadable(path, fmt.Errorf("more than the %d bytes that a module may have", MaxModuleBytes))
	}
	return data, stamp{info}, nil
}

func unreadable(path string, err error) error {
	reason := ""
	if errors.Is(err, fs.ErrNotExist) {
		reason = seam.ReasonMissing
	}
	if about := (*fs.PathError)(nil); errors.As(err, &about) {
		err = about.Err
	}
	return seam.Errorf(seam.CodeInvalidConfig, "module file %q cannot be used: %w", path, err).WithReason(reason)
}

// admit lists why the deployment does not admit a module that could be compiled.
func (c Config) admit(r Report) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if c.SHA256 != "" && !strings.EqualFold(c.SHA256, r.SHA256) {
		add("its SHA-256 is %s, but the configuration pins %s: if the change is wanted, set sha256 to the new one", r.SHA256, strings.ToLower(c.SHA256))
	}
	granted := c.Grants.names()
	for _, grant := range r.Permissions {
		if !granted[grant] {
			add("it needs the grant %q, since it imports %s: %s if the module may have it", grant, importsFor(grant, r), grantKey(grant))
		}
	}
	if r.MinMemory > uint64(c.Limits.MemoryBytes) {
		add("it needs %d bytes of memory to begin with, more than limits.memoryBytes: %d", r.MinMemory, c.Limits.MemoryBytes)
	}
	return problems
}

// importsFor names the imports that a grant is needed for.
func importsFor(grant string, r Report) string {
	var names []string
	for _, i := range r.Imports {
		if i.Grant == grant {
			names = append(names, i.Name)
		}
	}
	return strings.Join(names, ", ")
}

// grantKey says what to write to give a grant.
func grantKey(grant string) string {
	switch grant {
	case "files":
		return "set grants.files.workspace, or name folders at grants.files.mounts,"
	case "http":
		return "list URLs at grants.http"
	default:
		return "set grants.cache.bytes"
	}
}

// names are the grants that the deployment gives.
func (g Grants) names() map[string]bool {
	return map[string]bool{
		"files": g.Workspace || len(g.Mounts) > 0,
		"http":  len(g.HTTP) > 0,
		"cache": g.CacheBytes > 0,
	}
}
