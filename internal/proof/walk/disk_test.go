package walk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// disk is the workspace where the server sees it.
type disk struct {
	t      *testing.T
	root   string
	random *rand.Rand
	texts  map[string]string // by path, with slashes
}

func (d *disk) full(name string) string { return filepath.Join(d.root, filepath.FromSlash(name)) }

// write makes the disk what the texts say, in one of the ways in which editors write: in place, or
// with another file that takes the name. Sly leaves the second of the last change as it was, and
// may give a time before it.
func (d *disk) write(texts map[string]string, sly bool) (changed int) {
	for _, name := range slices.Sorted(maps.Keys(d.texts)) {
		if _, stays := texts[name]; !stays {
			require.NoError(d.t, os.Remove(d.full(name)))
			_ = os.Remove(path.Dir(d.full(name))) // if it is empty
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if before, there := d.texts[name]; there && before == texts[name] {
			continue
		}
		changed++
		d.writeOne(name, texts[name], sly)
	}
	d.texts = texts
	return changed
}

func (d *disk) writeOne(name, text string, sly bool) {
	full := d.full(name)
	require.NoError(d.t, os.MkdirAll(filepath.Dir(full), 0o700))
	before, err := os.Lstat(full)
	if replace := d.random.IntN(3) == 0; replace && !sly && err == nil && before.Mode().IsRegular() {
		require.NoError(d.t, os.WriteFile(full+".tmp", []byte(text), 0o600))
		require.NoError(d.t, os.Rename(full+".tmp", full))
		return
	}
	require.NoError(d.t, os.WriteFile(full, []byte(text), 0o600)) // of a link: where it leads
	if sly && err == nil {
		second := before.ModTime().Truncate(time.Second)
		other := (time.Duration(before.ModTime().Nanosecond()) + time.Duration(1+d.random.IntN(1e9-1))) % time.Second
		require.NoError(d.t, os.Chtimes(full, time.Time{}, second.Add(other)))
	}
}

// rename takes a file, or a folder with all in it. What has the name already is replaced.
func (d *disk) rename(from, to string) {
	require.NoError(d.t, os.MkdirAll(path.Dir(d.full(to)), 0o700))
	require.NoError(d.t, os.Rename(d.full(from), d.full(to)))
	for name, text := range maps.Clone(d.texts) {
		if rest, ok := strings.CutPrefix(name, from); ok && (rest == "" || rest[0] == '/') {
			delete(d.texts, name)
			d.texts[to+rest] = text
		}
	}
}

func (d *disk) removeAll(folder string) {
	require.NoError(d.t, os.RemoveAll(d.full(folder)))
	maps.DeleteFunc(d.texts, func(name, _ string) bool { return strings.HasPrefix(name, folder+"/") })
}

// link moves the text of a file to one that no server is asked about, and leaves a link to it
// there. Of a link it makes another.
func (d *disk) link(name string, n int) {
	target := d.full(fmt.Sprintf("store/x%05d.text", n))
	require.NoError(d.t, os.MkdirAll(filepath.Dir(target), 0o700))
	require.NoError(d.t, os.WriteFile(target, []byte(d.texts[name]), 0o600))
	require.NoError(d.t, os.Remove(d.full(name)))
	require.NoError(d.t, os.Symlink(target, d.full(name)))
}

// linked is what a link leads to; not ok of what is none.
func (d *disk) linked(name string) (target string, ok bool) {
	target, err := os.Readlink(d.full(name))
	return target, err == nil
}

func (d *disk) git(args ...string) {
	d.t.Helper()
	who := []string{"-c", "user.name=walk", "-c", "user.email=walk@example.com", "-c", "core.autocrlf=false", "-c", "gc.auto=0"}
	command := exec.Command("git", append(who, args...)...)
	command.Dir = d.root
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := command.CombinedOutput()
	require.NoError(d.t, err, "git %q: %s", args, out)
}

func (d *disk) commit(message string) {
	d.t.Helper()
	d.git("add", "-A")
	d.git("commit", "-q", "--allow-empty", "-m", message)
}
