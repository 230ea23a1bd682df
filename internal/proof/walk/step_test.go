package walk

import (
	"fmt"
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

// walker changes a workspace on disk, and knows it.
type walker struct {
	t        *testing.T
	root     string
	random   *rand.Rand
	world    *world
	disk     map[string]string // the texts there
	branches map[string]*world // of git, but the present one
	branch   string
	made     int // names so far
	burst    int // files of a burst
}

// begin makes the first workspace, under git.
func begin(t *testing.T, root string, l language, seed uint64, burst int) *walker {
	w := &walker{
		t: t, root: root, random: rand.New(rand.NewPCG(seed, 5)), world: &world{l, map[string]*file{}},
		disk: map[string]string{}, branches: map[string]*world{}, branch: "main", burst: burst,
	}
	for range 4 {
		w.declare()
	}
	for range 6 {
		w.create(w.folder())
	}
	w.flush(false)
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.name", "walk")
	w.git("config", "user.email", "walk@example.com")
	w.git("config", "core.autocrlf", "false")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "begin")
	return w
}

func (w *walker) git(args ...string) {
	w.t.Helper()
	command := exec.Command("git", args...)
	command.Dir = w.root
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := command.CombinedOutput()
	require.NoError(w.t, err, "git %q: %s", args, out)
}

// step does one thing to the workspace. It says what, and how many files it made or changed.
func (w *walker) step() (what string, files int) {
	users, declared := w.world.users(), w.world.declared()
	user, name := w.one(users), w.one(declared)
	switch n := w.random.IntN(100); {
	case n < 15:
		what = "calls of " + user
		w.world.files[user].calls = w.someCalls("")
	case n < 22: // the same size and the same second
		what = "exchanged calls in " + user
		for i := range w.world.files[user].calls {
			w.world.files[user].calls[i] = w.one(declared)
		}
		return what, w.flush(true)
	case n < 30:
		what = "version of " + name
		w.world.files["lib/"+name].version++
	case n < 36:
		what = "lines before " + name
		w.world.files["lib/"+name].padding = w.random.IntN(4)
	case n < 41:
		what = "calls of " + name
		w.world.files["lib/"+name].calls = w.someCalls(name)
	case n < 53:
		what = "new " + w.create(w.folder())
	case n < 58:
		w.made++
		what = "new folder " + w.create(fmt.Sprintf("use/n%03d", w.made))
	case n < 64 && len(users) > 3:
		what = "deleted " + user
		delete(w.world.files, user)
	case n < 70:
		w.made++
		to := path.Dir(user) + fmt.Sprintf("/r%03d", w.made)
		what = "renamed " + user + " to " + to
		w.rename(user+w.world.language.extension, to+w.world.language.extension)
		w.world.files[to] = w.world.files[user]
		delete(w.world.files, user)
	case n < 75:
		w.made++
		from, to := path.Dir(user), fmt.Sprintf("use/m%03d", w.made)
		what = "renamed " + from + " to " + to
		w.rename(from, to)
		for _, path := range users {
			if rest, ok := strings.CutPrefix(path, from+"/"); ok {
				w.world.files[to+"/"+rest] = w.world.files[path]
				delete(w.world.files, path)
			}
		}
	case n < 79:
		what = "replaced " + path.Dir(user)
		w.removeAll(path.Dir(user))
		for _, other := range users {
			if path.Dir(other) == path.Dir(user) {
				w.world.files[other].calls = w.someCalls("")
			}
		}
	case n < 82 && len(users) > 6:
		what = "deleted " + path.Dir(user)
		w.removeAll(path.Dir(user))
		for _, other := range users {
			if path.Dir(other) == path.Dir(user) {
				delete(w.world.files, other)
			}
		}
	case n < 86:
		what = "declared " + w.declare()
	case n < 89 && len(declared) > 3:
		what = "removed " + name
		delete(w.world.files, "lib/"+name)
		for _, f := range w.world.files {
			f.calls = slices.DeleteFunc(f.calls, func(called string) bool { return called == name })
		}
	case n < 92:
		return w.link(user)
	case n < 98:
		return w.checkout()
	case len(users) > w.burst: // the folder of this one, which may be that of the burst
		what = "deleted all in " + path.Dir(user)
		w.removeAll(path.Dir(user))
		for _, other := range users {
			if path.Dir(other) == path.Dir(user) {
				delete(w.world.files, other)
			}
		}
		w.create(w.folder())
	default:
		what = fmt.Sprintf("burst of %d", w.burst)
		for range w.burst {
			w.create("use/burst")
		}
	}
	return what, w.flush(false)
}

func (w *walker) one(of []string) string { return of[w.random.IntN(len(of))] }

// folder is one of a few.
func (w *walker) folder() string { return fmt.Sprintf("use/f%d", w.random.IntN(3)) }

func (w *walker) create(folder string) string {
	w.made++
	path := fmt.Sprintf("%s/u%05d", folder, w.made)
	w.world.files[path] = &file{id: fmt.Sprintf("Use%05d", w.made), calls: w.someCalls("")}
	return path
}

// declare adds a function to the library. Names have one length, so that texts keep their size.
func (w *walker) declare() string {
	w.made++
	name := fmt.Sprintf("Fun%05d", w.made)
	w.world.files["lib/"+name] = &file{declares: name}
	return name
}

// someCalls are calls of a few functions; those of a library file are of earlier ones.
func (w *walker) someCalls(by string) []string {
	var calls []string
	declared := w.world.declared()
	for range 1 + w.random.IntN(4) {
		name := w.one(declared)
		if by == "" || name < by {
			calls = append(calls, name)
		}
	}
	return calls
}

// link moves the text of a file to one that no server is asked about, and leaves a link to it.
func (w *walker) link(user string) (string, int) {
	name := filepath.Join(w.root, user+w.world.language.extension)
	store := filepath.Join(w.root, "store")
	require.NoError(w.t, os.MkdirAll(store, 0o700))
	w.made++
	target := filepath.Join(store, fmt.Sprintf("x%d.text", w.made))
	require.NoError(w.t, os.WriteFile(target, []byte(w.disk[user+w.world.language.extension]), 0o600))
	require.NoError(w.t, os.Remove(name))
	require.NoError(w.t, os.Symlink(target, name))
	w.world.files[user].calls = w.someCalls("")
	return "link at " + user, 1 + w.flush(false)
}

// checkout commits everything and goes to another branch, which may be a new one.
func (w *walker) checkout() (string, int) {
	w.git("add", "-A")
	w.git("commit", "-q", "--allow-empty", "-m", "step")
	w.branches[w.branch] = w.world.clone()
	if len(w.branches) < 4 && w.random.IntN(2) == 0 {
		w.made++
		w.branch = fmt.Sprintf("b%d", w.made)
		w.git("checkout", "-q", "-b", w.branch)
		return "new branch", 0
	}
	var others []string
	for name := range w.branches {
		if name != w.branch {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return "no other branch", 0
	}
	slices.Sort(others)
	w.branch = w.one(others)
	w.git("checkout", "-q", w.branch)
	w.world = w.branches[w.branch].clone()
	now := w.world.texts()
	changed := 0
	for name, text := range now {
		if w.disk[name] != text {
			changed++
		}
	}
	w.disk = now
	return "checkout " + w.branch, changed
}

// isLink reports whether a file is one.
func (w *walker) isLink(name string) bool {
	info, err := os.Lstat(filepath.Join(w.root, name))
	return err == nil && info.Mode().Type() == os.ModeSymlink
}

func (w *walker) rename(from, to string) {
	require.NoError(w.t, os.MkdirAll(filepath.Join(w.root, path.Dir(to)), 0o700))
	require.NoError(w.t, os.Rename(filepath.Join(w.root, from), filepath.Join(w.root, to)))
	for name, text := range w.disk {
		if rest, ok := strings.CutPrefix(name, from); ok && (rest == "" || rest[0] == '/') {
			delete(w.disk, name)
			w.disk[to+rest] = text
		}
	}
}

func (w *walker) removeAll(folder string) {
	require.NoError(w.t, os.RemoveAll(filepath.Join(w.root, folder)))
	for name := range w.disk {
		if strings.HasPrefix(name, folder+"/") {
			delete(w.disk, name)
		}
	}
}

// flush makes the disk what the world says, in one of the ways in which editors write: in place,
// or with another file that takes the name. Sly gives a time of the same second as before, which may be an older one.
func (w *walker) flush(sly bool) (changed int) {
	texts := w.world.texts()
	for name := range w.disk {
		if _, stays := texts[name]; !stays {
			require.NoError(w.t, os.Remove(filepath.Join(w.root, name)))
			_ = os.Remove(filepath.Dir(filepath.Join(w.root, name))) // if it is empty
		}
	}
	for name, text := range texts {
		if w.disk[name] == text {
			continue
		}
		changed++
		full := filepath.Join(w.root, name)
		require.NoError(w.t, os.MkdirAll(filepath.Dir(full), 0o700))
		info, err := os.Lstat(full)
		if err == nil && info.Mode().IsRegular() && !sly && w.random.IntN(3) == 0 {
			require.NoError(w.t, os.WriteFile(full+".tmp", []byte(text), 0o600))
			require.NoError(w.t, os.Rename(full+".tmp", full))
			continue
		}
		require.NoError(w.t, os.WriteFile(full, []byte(text), 0o600))
		if sly && err == nil {
			second := info.ModTime().Truncate(time.Second)
			other := (time.Duration(info.ModTime().Nanosecond()) + time.Duration(1+w.random.IntN(1e9-1))) % time.Second
			require.NoError(w.t, os.Chtimes(full, time.Time{}, second.Add(other)))
		}
	}
	w.disk = texts
	return changed
}
