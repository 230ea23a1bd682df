package engine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// cache is a folder of compiled code. Running what lies in it is trusting it, so it is used
// only if no one else can write there, and an entry only if its record says that it is
// whole and what it is for. Nothing that is wrong with it is an error: the code is
// compiled again. Any number of processes may share the folder: an entry appears and
// disappears by one rename.
type cache struct {
	folder string
	limit  int64 // bytes of all entries
}

const cacheLimit = 1 << 30

// openCache makes the folder. It returns nil, which is a cache too, for none.
func openCache(folder string) *cache {
	if folder == "" || os.MkdirAll(folder, 0o700) != nil || !private(folder) {
		return nil
	}
	return &cache{folder, cacheLimit}
}

// private reports whether path is a folder that only we can write to.
func private(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && onlyOurs(info)
}

// entryName names what the entry is for. The code is what the engine gets, after any
// rewriting.
func entryName(engine, version string, code []byte) string {
	return fmt.Sprintf("%s-%s-%s-%s-%x", engine, version, runtime.GOOS, runtime.GOARCH, sha256.Sum256(code))
}

// moduleVersion is the version of an engine in this program. Only a test binary does not
// know: it has the version of go.mod, which a test compares.
func moduleVersion(path, ours string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ours
	}
	for _, dependency := range info.Deps {
		if dependency.Path != path {
			continue
		}
		if dependency.Replace != nil {
			dependency = dependency.Replace
		}
		if dependency.Version != "" {
			return dependency.Version
		}
	}
	return ours
}

// compile has the compiler work in the folder of the entry, where it reads what it left
// there before, or writes what it makes; without a folder ("") it does neither. cached
// reports whether it had nothing to write.
func (c *cache) compile(name string, compiler func(folder string) error) (cached bool, err error) {
	if c == nil {
		return false, compiler("")
	}
	if cached, err = c.load(name, compiler); err == nil {
		return cached, nil
	}
	folder, err := os.MkdirTemp(c.folder, name+".*.new")
	if err != nil {
		return false, compiler("")
	}
	defer os.RemoveAll(folder) // after keep it is no longer there
	if compiler(folder) != nil {
		return false, compiler("") // the fault may be the disk's
	}
	c.keep(name, folder)
	return false, nil
}

// load compiles from an entry that is sound. An entry that is not, or that the compiler
// does not take, is removed.
func (c *cache) load(name string, compiler func(folder string) error) (cached bool, err error) {
	folder := filepath.Join(c.folder, name)
	if _, err := os.Lstat(folder); err != nil {
		return false, err
	}
	err = checkRecord(folder, name)
	before, _ := entryFiles(folder)
	if err == nil {
		err = compiler(folder)
	}
	if err != nil {
		c.remove(name)
		return false, err
	}
	if after, _ := entryFiles(folder); !slices.Equal(after, before) {
		_ = writeRecord(folder, name) // it compiled again, for another kind of processor, and left that here too
		return false, nil
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(folder, recordName), now, now) // the sweep goes by it
	return true, nil
}

// keep gives a new entry its record and its name. Another process may have been first.
func (c *cache) keep(name, folder string) {
	if writeRecord(folder, name) != nil {
		return
	}
	if os.Rename(folder, filepath.Join(c.folder, name)) == nil {
		c.sweep(name)
	}
}

// remove takes an entry away in one step, so that no one finds half of it.
func (c *cache) remove(name string) {
	aside, err := os.MkdirTemp(c.folder, name+".*.old")
	if err != nil {
		return
	}
	_ = os.Rename(filepath.Join(c.folder, name), filepath.Join(aside, "entry"))
	_ = os.RemoveAll(aside)
}
