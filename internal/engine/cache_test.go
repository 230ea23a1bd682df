package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// onEachThatCaches leaves out the interpreter, which has nothing to keep.
func onEachThatCaches(t *testing.T, test func(t *testing.T, engine string)) {
	for _, engine := range Names() {
		if engine != Interpreter {
			t.Run(engine, func(t *testing.T) { test(t, engine) })
		}
	}
}

// cachedIn compiles with a cache, proves that the code runs, and says where it came from.
func cachedIn(t *testing.T, engine, name, folder string) bool {
	t.Helper()
	code, err := Compile(t.Context(), engine, module(t, name), Options{
		Functions: hostFunctions(), Exports: []string{"nothing"}, MemoryPages: 16, CacheDir: folder,
	})
	require.NoError(t, err)
	defer code.Close()
	guest, err := code.Instantiate(t.Context(), nil)
	require.NoError(t, err)
	defer guest.Close()
	require.NoError(t, guest.Call(t.Context(), 0, nil))
	require.Positive(t, code.Took())
	return code.Cached()
}

// files lists what lies below a folder, as "path": info.
func files(t *testing.T, folder string) map[string]fs.FileInfo {
	t.Helper()
	all := map[string]fs.FileInfo{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		all[path] = info
		return nil
	}))
	return all
}

// entryOf is the one entry of a folder, and codeOf its one file of code.
func entryOf(t *testing.T, folder string) string {
	t.Helper()
	all, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return filepath.Join(folder, all[0].Name())
}

func codeOf(t *testing.T, entry string) string {
	t.Helper()
	names, err := entryFiles(entry)
	require.NoError(t, err)
	require.Len(t, names, 1)
	return filepath.Join(entry, names[0])
}

func TestTheSecondCompileReadsWhatTheFirstWrote(t *testing.T) {
	onEachThatCaches(t, func(t *testing.T, engine string) {
		folder := filepath.Join(t.TempDir(), "new", "cache")
		require.False(t, cachedIn(t, engine, "guest", folder))
		code := codeOf(t, entryOf(t, folder))
		before, err := os.Stat(code)
		require.NoError(t, err)

		require.True(t, cachedIn(t, engine, "guest", folder))
		after, err := os.Stat(code)
		require.NoError(t, err)
		require.True(t, os.SameFile(before, after))
		require.Equal(t, before.ModTime(), after.ModTime())

		for path, info := range files(t, folder) {
			if runtime.GOOS == "windows" {
				break
			}
			want := fs.FileMode(0o600)
			if info.IsDir() {
				want = 0o700
			}
			require.Equal(t, want, info.Mode().Perm(), path)
		}
	})
}

func TestTheInterpreterKeepsNothing(t *testing.T) {
	folder := t.TempDir()
	require.False(t, cachedIn(t, Interpreter, "guest", folder))
	require.Len(t, files(t, folder), 1, "the folder itself")
}

func TestAnEntryThatIsNotWhatItWasIsMadeAgain(t *testing.T) {
	change := func(at func(size int) int) func(t *testing.T, entry string) {
		return func(t *testing.T, entry string) {
			path := codeOf(t, entry)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			data[at(len(data))] ^= 1
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	damages := map[string]func(t *testing.T, entry string){
		"first byte":  change(func(int) int { return 0 }),
		"middle byte": change(func(size int) int { return size / 2 }),
		"last byte":   change(func(size int) int { return size - 1 }),
		"truncated": func(t *testing.T, entry string) {
			info, err := os.Stat(codeOf(t, entry))
			require.NoError(t, err)
			require.NoError(t, os.Truncate(codeOf(t, entry), info.Size()/2))
		},
		"empty": func(t *testing.T, entry string) { require.NoError(t, os.Truncate(codeOf(t, entry), 0)) },
		"longer": func(t *testing.T, entry string) {
			file, err := os.OpenFile(codeOf(t, entry), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.WriteString("more")
			require.NoError(t, errors.Join(err, file.Close()))
		},
		"no code":        func(t *testing.T, entry string) { require.NoError(t, os.Remove(codeOf(t, entry))) },
		"no record":      func(t *testing.T, entry string) { require.NoError(t, os.Remove(filepath.Join(entry, recordName))) },
		"empty record":   func(t *testing.T, entry string) { require.NoError(t, os.Truncate(filepath.Join(entry, recordName), 0)) },
		"another record": func(t *testing.T, entry string) { require.NoError(t, writeRecord(entry, "another")) },
		"another file": func(t *testing.T, entry string) {
			require.NoError(t, os.WriteFile(filepath.Join(entry, "more"), nil, 0o600))
		},
		"a file for the folder": func(t *testing.T, entry string) {
			require.NoError(t, os.RemoveAll(entry))
			require.NoError(t, os.WriteFile(entry, nil, 0o600))
		},
		"a link for the code": func(t *testing.T, entry string) {
			code, elsewhere := codeOf(t, entry), filepath.Join(t.TempDir(), "code")
			require.NoError(t, os.Rename(code, elsewhere))
			require.NoError(t, os.Symlink(elsewhere, code))
		},
		"a link for the folder": func(t *testing.T, entry string) {
			elsewhere := filepath.Join(t.TempDir(), "entry")
			require.NoError(t, os.Rename(entry, elsewhere))
			require.NoError(t, os.Symlink(elsewhere, entry))
		},
	}
	onEachThatCaches(t, func(t *testing.T, engine string) {
		for name, damage := range damages {
			t.Run(name, func(t *testing.T) {
				folder := t.TempDir()
				require.NoError(t, os.Chmod(folder, 0o700))
				require.False(t, cachedIn(t, engine, "guest", folder))
				damage(t, entryOf(t, folder))
				require.False(t, cachedIn(t, engine, "guest", folder))
				require.True(t, cachedIn(t, engine, "guest", folder), "it healed")
				entryOf(t, folder) // nothing else is left
			})
		}
	})
}

func TestEntriesThatChangedPlaces(t *testing.T) {
	onEachThatCaches(t, func(t *testing.T, engine string) {
		one, other := t.TempDir(), t.TempDir()
		require.False(t, cachedIn(t, engine, "guest", one))
		require.False(t, cachedIn(t, engine, "no_memory", other))
		place, wrong := entryOf(t, one), entryOf(t, other)
		require.NoError(t, os.RemoveAll(place))
		require.NoError(t, os.Rename(wrong, place))
		require.False(t, cachedIn(t, engine, "guest", one))
		require.True(t, cachedIn(t, engine, "guest", one))
	})
}

func TestFoldersThatAreNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	folders := map[string]func(t *testing.T, folder string) string{
		"below a file": func(t *testing.T, folder string) string {
			file := filepath.Join(folder, "file")
			require.NoError(t, os.WriteFile(file, nil, 0o600))
			return filepath.Join(file, "cache")
		},
		"writable for the group": func(t *testing.T, folder string) string {
			require.NoError(t, os.Chmod(folder, 0o770))
			return folder
		},
		"writable for all": func(t *testing.T, folder string) string {
			require.NoError(t, os.Chmod(folder, 0o777))
			return folder
		},
		"a link": func(t *testing.T, folder string) string {
			link := filepath.Join(t.TempDir(), "link")
			require.NoError(t, os.Symlink(folder, link))
			return link
		},
		"another's": func(t *testing.T, folder string) string {
			if os.Geteuid() != 0 {
				t.Skip("only root can give a folder away")
			}
			require.NoError(t, os.Chown(folder, 12345, -1))
			return folder
		},
		"not writable": func(t *testing.T, folder string) string {
			if os.Geteuid() == 0 {
				t.Skip("root can write anywhere")
			}
			require.NoError(t, os.Chmod(folder, 0o500))
			return folder
		},
	}
	onEachThatCaches(t, func(t *testing.T, engine string) {
		for name, prepare := range folders {
			t.Run(name, func(t *testing.T) {
				folder := prepare(t, t.TempDir())
				require.False(t, cachedIn(t, engine, "guest", folder))
				require.False(t, cachedIn(t, engine, "guest", folder))
			})
		}
	})
}

func TestHammerOneFolder(t *testing.T) {
	onEachThatCaches(t, func(t *testing.T, engine string) {
		folder := t.TempDir()
		require.NoError(t, os.Chmod(folder, 0o700))
		code := module(t, "guest")
		var wait sync.WaitGroup
		for worker := range 6 {
			wait.Go(func() {
				for range 5 {
					compiled, err := Compile(t.Context(), engine, code, Options{MemoryPages: 16, CacheDir: folder})
					if err != nil {
						t.Error(err)
						return
					}
					_ = compiled.Close()
					if worker == 0 { // someone breaks it all the time
						all, _ := filepath.Glob(filepath.Join(folder, "*", recordName))
						for _, record := range all {
							_ = os.Truncate(record, 3)
						}
					}
				}
			})
		}
		wait.Wait()
		cachedIn(t, engine, "guest", folder)
		require.True(t, cachedIn(t, engine, "guest", folder))
		entryOf(t, folder)
	})
}

// writer is a compiler that leaves a file of a size.
func writer(name string, size int) func(folder string) error {
	return func(folder string) error {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); folder == "" || err == nil {
			return nil
		}
		return os.WriteFile(path, make([]byte, size), 0o600)
	}
}

func testCache(t *testing.T) *cache {
	t.Helper()
	c := openCache(filepath.Join(t.TempDir(), "cache"))
	require.NotNil(t, c)
	return c
}

func TestACompilerThatWroteMoreIntoAnEntryDidNotUseIt(t *testing.T) {
	c := testCache(t)
	name := entryName(Wazero, "v0", []byte("code"))
	for _, step := range []struct {
		file string
		want bool
	}{{"one processor", false}, {"one processor", true}, {"another", false}, {"one processor", true}, {"another", true}} {
		cached, err := c.compile(name, writer(step.file, 10))
		require.NoError(t, err)
		require.Equal(t, step.want, cached, step.file)
	}
}

func TestACompilerThatDoesNotTakeAnEntryMakesItAgain(t *testing.T) {
	c := testCache(t)
	name := entryName(Wasmtime, "v0", []byte("code"))
	_, err := c.compile(name, writer("module", 10))
	require.NoError(t, err)

	refuse := func(folder string) error {
		if files, _ := entryFiles(folder); len(files) > 0 {
			return errHost
		}
		return writer("module", 20)(folder)
	}
	cached, err := c.compile(name, refuse)
	require.NoError(t, err)
	require.False(t, cached)
	require.Equal(t, int64(20), files(t, c.folder)[filepath.Join(c.folder, name, "module")].Size())
}

func TestADiskThatFailsIsNoFault(t *testing.T) {
	c := testCache(t)
	cached, err := c.compile("name", func(folder string) error {
		if folder != "" {
			return errors.New("no space left")
		}
		return nil
	})
	require.NoError(t, err)
	require.False(t, cached)
	require.Len(t, files(t, c.folder), 1, "nothing is left")
}

func TestTheLeastRecentlyUsedEntriesLeave(t *testing.T) {
	c := testCache(t)
	c.limit = 4_000
	name := func(n int) string { return entryName(Wazero, "v0", fmt.Append(nil, n)) }
	compile := func(n int) bool {
		cached, err := c.compile(name(n), writer("code", 1_000))
		require.NoError(t, err)
		if err == nil { // a clock with coarse ticks must not decide
			record := filepath.Join(c.folder, name(n), recordName)
			stamp := time.Now().Add(time.Duration(n) * time.Millisecond)
			require.NoError(t, os.Chtimes(record, stamp, stamp))
		}
		return cached
	}
	foreign := filepath.Join(c.folder, "wazero-notes")
	require.NoError(t, os.MkdirAll(foreign, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "large"), make([]byte, 50_000), 0o600))
	stale, fresh := filepath.Join(c.folder, name(90)+".123.new"), filepath.Join(c.folder, name(91)+".123.old")
	for _, half := range []string{stale, fresh} {
		require.NoError(t, os.Mkdir(half, 0o700))
	}
	old := time.Now().Add(-2 * leftover)
	require.NoError(t, os.Chtimes(stale, old, old))

	for n := range 3 {
		require.False(t, compile(n))
	}
	first := filepath.Join(c.folder, name(0), recordName)
	now := time.Now().Add(time.Minute)
	require.NoError(t, os.Chtimes(first, now, now)) // the oldest is used again
	require.False(t, compile(3))

	var left []string
	all, err := os.ReadDir(c.folder)
	require.NoError(t, err)
	for _, d := range all {
		left = append(left, d.Name())
	}
	require.ElementsMatch(t, []string{name(0), name(2), name(3), filepath.Base(foreign), filepath.Base(fresh)}, left)
}

func TestOneEntryLargerThanTheLimitStays(t *testing.T) {
	c := testCache(t)
	c.limit = 10
	name := entryName(Wazero, "v0", nil)
	_, err := c.compile(name, writer("code", 1_000))
	require.NoError(t, err)
	cached, err := c.compile(name, writer("code", 1_000))
	require.NoError(t, err)
	require.True(t, cached)
}
