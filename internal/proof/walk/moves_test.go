package walk

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// move is one thing that can be done to a workspace.
type move struct {
	name   string
	weight int
	do     func(w *walker) (what string, ok bool) // to the world, and to the disk what is not writing texts
	files  func(w *walker) int                    // to the disk: how many files changed or are new
}

func write(w *walker) int    { return w.write(w.world.texts(), false) }
func writeSly(w *walker) int { return w.write(w.world.texts(), true) }

func moves() []move {
	return []move{
		{"new calls in", 10, newCalls, write},
		{"calls of the same size, in the same second, in", 8, exchangedCalls, writeSly},
		{"new version of", 5, newVersion, write},
		{"new version, in the same second, of", 5, newVersion, writeSly},
		{"lines above", 6, padded, write},
		{"calls of the library's", 4, libraryCalls, write},
		{"types implemented by", 7, implemented, write},
		{"another time of", 2, touched, write},
		{"new file", 9, func(w *walker) (string, bool) { return w.create(w.folder()), true }, write},
		{"new folder with", 5, newFolder, write},
		{"deleted", 6, deleted, write},
		{"renamed", 6, renamed, write},
		{"renamed over another", 3, renamedOver, write},
		{"made anew after its deletion", 3, madeAnew, write},
		{"renamed folder", 5, renamedFolder, write},
		{"exchanged folders", 4, exchangedFolders, write},
		{"replaced folder", 4, replacedFolder, write},
		{"deleted folder", 3, deletedFolder, write},
		{"declared", 4, declared, write},
		{"declared type", 2, declaredType, write},
		{"removed", 4, removed, write},
		{"link at", 3, linked, func(w *walker) int { return 1 + write(w) }},
		{"another project file:", 4, leftOut, write},
		{"git branch", 2, branched, write},
		{"git checkout", 5, checkedOut, (*walker).adopt},
	}
}

func newCalls(w *walker) (string, bool) {
	user := w.user()
	w.world.files[user].calls = w.someCalls("")
	return user, true
}

func exchangedCalls(w *walker) (string, bool) {
	user := w.user()
	f := w.world.files[user]
	for i := range f.calls {
		f.calls[i] = w.one(w.world.functions())
	}
	return user, true
}

func newVersion(w *walker) (string, bool) {
	name := w.one(w.world.names())
	w.world.files["lib/"+name].version++
	return name, true
}

func padded(w *walker) (string, bool) {
	file := w.one([]string{w.user(), "lib/" + w.one(w.world.names())})
	w.world.files[file].padding = w.random.IntN(4)
	return file, true
}

func libraryCalls(w *walker) (string, bool) {
	name := w.one(w.world.functions())
	w.world.files["lib/"+name].calls = w.someCalls(name)
	return name, true
}

func implemented(w *walker) (string, bool) {
	user := w.user()
	w.world.files[user].implements = w.someTypes()
	return user, true
}

// touched gives a file another time and the same text.
func touched(w *walker) (string, bool) {
	user := w.user()
	now := time.Now()
	require.NoError(w.t, os.Chtimes(w.full(user+w.world.language.extension), now, now))
	return user, true
}

func newFolder(w *walker) (string, bool) {
	folder := fmt.Sprintf("use/n%03d", w.next())
	if w.random.IntN(3) == 0 {
		folder += "/below/it"
	}
	for range w.random.IntN(2) {
		w.create(folder)
	}
	return w.create(folder), true
}

func deleted(w *walker) (string, bool) {
	user := w.user()
	if len(w.world.users()) <= 3 {
		return "", false
	}
	delete(w.world.files, user)
	return user, true
}

func renamed(w *walker) (string, bool) {
	user := w.user()
	to := path.Dir(user) + fmt.Sprintf("/r%03d", w.next())
	w.moveFile(user, to)
	return user + " to " + to, true
}

func renamedOver(w *walker) (string, bool) {
	from, to := w.user(), w.user()
	if from == to || len(w.world.users()) <= 3 {
		return "", false
	}
	w.moveFile(from, to)
	return from + " to " + to, true
}

func (w *walker) moveFile(from, to string) {
	w.rename(from+w.world.language.extension, to+w.world.language.extension)
	w.world.files[to] = w.world.files[from]
	delete(w.world.files, from)
}

func madeAnew(w *walker) (string, bool) {
	user := w.user()
	name := user + w.world.language.extension
	require.NoError(w.t, os.Remove(w.full(name)))
	delete(w.texts, name)
	w.world.files[user].calls = w.someCalls("")
	return user, true
}

func renamedFolder(w *walker) (string, bool) {
	from, to := path.Dir(w.user()), fmt.Sprintf("use/m%03d", w.next())
	w.moveFolder(from, to)
	return from + " to " + to, true
}

func exchangedFolders(w *walker) (string, bool) {
	one, other := path.Dir(w.user()), path.Dir(w.user())
	if strings.HasPrefix(one+"/", other+"/") || strings.HasPrefix(other+"/", one+"/") {
		return "", false
	}
	w.moveFolder(one, "use/between")
	w.moveFolder(other, one)
	w.moveFolder("use/between", other)
	return one + " and " + other, true
}

func (w *walker) moveFolder(from, to string) {
	w.rename(from, to)
	for _, user := range w.world.users() {
		if rest, ok := strings.CutPrefix(user, from+"/"); ok {
			w.world.files[to+"/"+rest] = w.world.files[user]
			delete(w.world.files, user)
		}
	}
}

// below lists the files in a folder, at any depth.
func (w *walker) below(folder string) []string {
	return slices.DeleteFunc(w.world.users(), func(user string) bool { return !strings.HasPrefix(user, folder+"/") })
}

// replacedFolder has files of the same names in the place of the old ones.
func replacedFolder(w *walker) (string, bool) {
	folder := path.Dir(w.user())
	w.removeAll(folder)
	for _, user := range w.below(folder) {
		w.world.files[user].calls = w.someCalls("")
	}
	return folder, true
}

func deletedFolder(w *walker) (string, bool) {
	folder := path.Dir(w.user())
	gone := w.below(folder)
	if len(w.world.users())-len(gone) < 3 {
		return "", false
	}
	w.removeAll(folder)
	for _, user := range gone {
		delete(w.world.files, user)
	}
	return folder, true
}

// declared adds a function, which is used from now on, as is what declaredType adds.
func declared(w *walker) (string, bool) {
	if len(w.world.functions()) >= 10 {
		return "", false
	}
	return w.declare(), true
}

func declaredType(w *walker) (string, bool) {
	if len(w.world.types()) >= 5 {
		return "", false
	}
	return w.declareType(), true
}

func removed(w *walker) (string, bool) {
	name := w.one(w.world.names())
	if f := w.world.files["lib/"+name]; len(w.world.declared(f.abstract)) <= 2 {
		return "", false
	}
	w.world.forget(name)
	return name, true
}

func linked(w *walker) (string, bool) {
	user := w.user()
	w.link(user+w.world.language.extension, w.next())
	w.world.files[user].calls = w.someCalls("")
	return user, true
}

// leftOut takes the folder aside out of the project, or into it again.
func leftOut(w *walker) (string, bool) {
	if !w.world.language.leavesOut {
		return "", false
	}
	w.world.leftOut = !w.world.leftOut
	return fmt.Sprintf("%s left out is %v", aside, w.world.leftOut), true
}

// branched goes on on a new branch.
func branched(w *walker) (string, bool) {
	if len(w.branches) >= 3 {
		return "", false
	}
	w.leave()
	w.branch = fmt.Sprintf("b%d", w.next())
	w.git("checkout", "-q", "-b", w.branch)
	return w.branch, true
}

func checkedOut(w *walker) (string, bool) {
	others := slices.Sorted(maps.Keys(w.branches))
	if len(others) == 0 {
		return "", false
	}
	w.leave()
	w.enter(w.one(others))
	return w.branch, true
}

// leave commits all, and remembers what the present branch has.
func (w *walker) leave() {
	w.commit("step")
	w.branches[w.branch] = w.world.clone()
}

func (w *walker) enter(branch string) {
	w.git("checkout", "-q", branch)
	w.branch = branch
	w.world = w.branches[branch].clone()
	delete(w.branches, branch)
}

// adopt takes what git has written.
func (w *walker) adopt() (changed int) {
	now := w.world.texts()
	for name, text := range now {
		if before, there := w.texts[name]; !there || before != text {
			changed++
		}
	}
	w.texts = now
	return changed
}
