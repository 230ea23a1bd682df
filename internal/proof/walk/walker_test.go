package walk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/realserver"
)

// walker changes a workspace on disk, and knows it. All that it does follows from its seed, and
// from what was asked about.
type walker struct {
	disk
	random   *rand.Rand
	world    *world
	branches map[string]*world // of git, but the present one
	branch   string
	base     string   // the branch that a burst leaves
	made     int      // names so far
	asked    []string // files that were asked about last: a server has these open
}

// begin makes the first workspace, under git. Where there is none the test is skipped, and fails
// where CI asks for it.
func begin(t *testing.T, root string, l language, seed uint64) *walker {
	if _, err := exec.LookPath("git"); err != nil {
		require.Empty(t, os.Getenv(realserver.Require), "git is missing")
		t.Skip("git is not installed")
	}
	random := rand.New(rand.NewPCG(seed, 5))
	w := &walker{
		disk: disk{t: t, root: root, random: random, texts: map[string]string{}}, random: random,
		world: &world{language: l, files: map[string]*file{}}, branches: map[string]*world{}, branch: "main",
	}
	for range 4 {
		w.declare()
	}
	for range 2 {
		w.declareType()
	}
	for range 6 {
		w.create(w.folder())
	}
	w.create(aside)
	w.write(w.world.texts(), false)
	w.git("init", "-q", "-b", "main")
	w.commit("begin")
	return w
}

// step does one thing to the workspace. It says what, and how many files it made or changed.
func (w *walker) step() (what string, files int) {
	for {
		if what, files, ok := w.move(w.draw()); ok {
			return what, files
		}
	}
}

func (w *walker) move(m move) (what string, files int, ok bool) {
	what, ok = m.do(w)
	if !ok {
		return "", 0, false
	}
	return m.name + " " + what, m.files(w), true
}

// draw takes a move by its weight.
func (w *walker) draw() move {
	all := moves()
	sum := 0
	for _, m := range all {
		sum += m.weight
	}
	n := w.random.IntN(sum)
	for _, m := range all {
		if n -= m.weight; n < 0 {
			return m
		}
	}
	panic("weights have another sum")
}

func (w *walker) one(of []string) string { return of[w.random.IntN(len(of))] }

// user is one of the files that only use: every second time one that was asked about lately.
func (w *walker) user() string {
	if w.random.IntN(2) == 0 {
		var known []string
		for _, name := range w.asked {
			if p := name[:len(name)-len(path.Ext(name))]; w.world.files[p] != nil && w.world.files[p].declares == "" {
				known = append(known, p)
			}
		}
		if len(known) > 0 {
			return w.one(known)
		}
	}
	return w.one(w.world.users())
}

// remember that a file was asked about.
func (w *walker) remember(name string) {
	w.asked = append(w.asked, name)
	w.asked = w.asked[max(0, len(w.asked)-8):]
}

// folder is one of a few.
func (w *walker) folder() string { return w.one([]string{"use/f0", "use/f1", "use/f2", aside}) }

// next is a number that no name has yet.
func (w *walker) next() int {
	w.made++
	return w.made
}

func (w *walker) create(folder string) string {
	n := w.next()
	created := fmt.Sprintf("%s/u%05d", folder, n)
	w.world.files[created] = &file{id: fmt.Sprintf("Use%05d", n), calls: w.someCalls(""), implements: w.someTypes()}
	return created
}

// declare adds a function to the library. Names have one length, so that texts keep their size.
func (w *walker) declare() string {
	name := fmt.Sprintf("Fun%05d", w.next())
	w.world.files["lib/"+name] = &file{declares: name}
	return name
}

func (w *walker) declareType() string {
	name := fmt.Sprintf("Typ%05d", w.next())
	w.world.files["lib/"+name] = &file{declares: name, abstract: true}
	return name
}

// someCalls are calls of a few functions; those of a library file are of earlier ones.
func (w *walker) someCalls(by string) []string {
	var calls []string
	functions := w.world.functions()
	for range 1 + w.random.IntN(4) {
		name := w.one(functions)
		if by == "" || name < by {
			calls = append(calls, name)
		}
	}
	return calls
}

// someTypes are those that a file implements: mostly none.
func (w *walker) someTypes() []string {
	var some []string
	for _, name := range w.world.types() {
		if w.random.IntN(5) == 0 {
			some = append(some, name)
		}
	}
	return some
}
