package walk

import (
	"fmt"
)

// A burst is many files at once. Each of its moves is a step of the walk.
const burstFolder = "use/burst"

// bursts are those of a walk that has so many steps: in one all files are written, changed,
// renamed and deleted; in the other git does it, in changing branches. They go as they came, since
// each question takes long while they are there.
func bursts(steps, files int) map[int][]move {
	return map[int][]move{
		steps / 3: {
			{name: "burst", do: func(w *walker) (string, bool) { return w.many(files), true }, files: write},
			{name: "burst of changes", do: manyChanged, files: write},
			{name: "burst of renames", do: func(w *walker) (string, bool) { return w.manyRenamed(), true }, files: func(w *walker) int { return files + write(w) }},
			{name: "burst of deletions", do: manyDeleted, files: write},
		},
		2 * steps / 3: {
			{name: "burst on a branch", do: func(w *walker) (string, bool) {
				w.leave()
				w.git("checkout", "-q", "-b", "burst")
				w.base, w.branch = w.branch, "burst"
				return w.many(files), true
			}, files: write},
			{name: "git checkout, away from the burst", do: func(w *walker) (string, bool) {
				w.leave()
				w.enter(w.base)
				return w.branch, true
			}, files: (*walker).adopt},
			{name: "git checkout, back to the burst", do: func(w *walker) (string, bool) {
				w.leave()
				w.enter("burst")
				return w.branch, true
			}, files: (*walker).adopt},
			{name: "git checkout, away for good", do: func(w *walker) (string, bool) {
				w.enter(w.base)
				w.git("branch", "-q", "-D", "burst")
				return w.branch, true
			}, files: (*walker).adopt},
		},
	}
}

// many makes files with a call each.
func (w *walker) many(files int) string {
	functions := w.world.functions()
	for range files {
		n := w.next()
		w.world.files[fmt.Sprintf("%s/u%05d", burstFolder, n)] = &file{id: fmt.Sprintf("Use%05d", n), calls: []string{w.one(functions)}}
	}
	return fmt.Sprintf("of %d files", files)
}

func manyChanged(w *walker) (string, bool) {
	functions := w.world.functions()
	for _, user := range w.below(burstFolder) {
		w.world.files[user].calls = []string{w.one(functions), w.one(functions)}
	}
	return burstFolder, true
}

func (w *walker) manyRenamed() string {
	to := burstFolder + "2"
	w.moveFolder(burstFolder, to)
	return burstFolder + " to " + to
}

func manyDeleted(w *walker) (string, bool) {
	folder := burstFolder + "2"
	for _, user := range w.below(folder) {
		delete(w.world.files, user)
	}
	return folder, true
}
