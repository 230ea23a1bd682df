package changes

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// work looks at all that is on the list. What ctx cuts off stays there.
func (t *Tree) work(ctx context.Context) error {
	for {
		f, task := t.todo.next()
		if f == nil && len(t.shared) == 0 {
			return nil
		}
		if f == nil {
			t.findNames(t.top)
			clear(t.shared)
			continue
		}
		if ctx.Err() != nil {
			t.todo.back(f, task)
			return seam.ContextError(ctx)
		}
		if f.gone {
			continue
		}
		if task.all || len(task.names) > manyNames {
			t.read(f, task.names)
			continue
		}
		for name, event := range task.names {
			t.check(f, name, event)
		}
	}
}

// read looks at everything in a folder. The watch comes first: what happens after it is told.
func (t *Tree) read(f *folder, events map[string]bool) {
	t.watch(f)
	names, err := namesIn(f.path)
	if err != nil {
		names = nil // gone, or not ours to read: nothing of it is known to anybody
	}
	if f.cache = f.parent != nil && isCache(f.path, names); f.cache {
		names = nil
	}
	for _, name := range names {
		t.check(f, name, events[name])
	}
	if len(f.files)+len(f.folders)+len(t.linked[f]) > 0 {
		t.loseMissing(f, names)
	}
}

// loseMissing forgets what is not in a folder any more.
func (t *Tree) loseMissing(f *folder, names []string) {
	known := 0
	for _, name := range names {
		_, isFile := f.files[name]
		_, isFolder := f.folders[name]
		if isFile || isFolder {
			known++
		}
	}
	if known == len(f.files)+len(f.folders) && len(t.linked[f]) == 0 {
		return // all of them are there: no need to look for each
	}
	present := make(map[string]struct{}, len(names))
	for _, name := range names {
		present[name] = struct{}{}
	}
	for name := range t.linked[f] {
		if _, ok := present[name]; !ok {
			t.unlink(f, name)
		}
	}
	for name := range f.files {
		if _, ok := present[name]; !ok {
			t.loseFile(f, name)
		}
	}
	for name := range f.folders {
		if _, ok := present[name]; !ok {
			t.loseFolder(f, name)
		}
	}
}

func namesIn(path string) ([]string, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // nothing was written
	return dir.Readdirnames(-1)
}

// watch has the kernel report what happens in a folder, if it does.
func (t *Tree) watch(f *folder) {
	if !t.events.on() {
		return
	}
	if err := t.events.add(f); err != nil {
		t.sweepOnly(err)
		t.todo.sweep(t.top)
	}
}

// check looks at one name in a folder.
func (t *Tree) check(f *folder, name string, event bool) {
	switch {
	case name == "": // the folder itself, which may be another one of that name by now
		t.todo.whole(f)
		if f.parent != nil {
			t.check(f.parent, filepath.Base(f.path), true)
		}
		return
	case name == cacheTag && event:
		t.todo.whole(f)
	case f.cache:
		return
	}
	path := f.at(name)
	now := time.Now()
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		t.unlink(f, name)
		t.loseFile(f, name)
		t.loseFolder(f, name)
	case info.IsDir():
		t.loseFile(f, name)
		t.checkFolder(f, name, workspace.StampOf(info, now))
	default:
		t.loseFolder(f, name)
		t.checkFile(f, name, path, info, now, event)
	}
}

func (t *Tree) checkFolder(f *folder, name string, stamp workspace.Stamp) {
	if _, skip := t.skip[name]; skip {
		return
	}
	inner := f.folders[name]
	switch {
	case inner == nil:
		inner = newFolder(f.at(name), f)
		f.folders[name] = inner
		t.status.set(func(s *Status) { s.Folders++ })
		t.journal.add(Change{Path: inner.path, Kind: Created, Folder: true})
		t.todo.whole(inner)
	case inner.stamp.ID() != stamp.ID(): // another one of that name: its files are compared
		t.journal.add(Change{Path: inner.path, Kind: Changed, Folder: true})
		t.sweepBelow(inner)
	case t.todo.sweeping, t.events.on() && inner.wd < 0:
		t.todo.whole(inner)
	}
	inner.stamp = stamp
}

// sweepBelow has a folder read, and all that are known in it.
func (t *Tree) sweepBelow(f *folder) {
	t.events.drop(f)
	t.todo.whole(f)
	for _, inner := range f.folders {
		t.sweepBelow(inner)
	}
}

// checkFile compares a file with what is known of it.
func (t *Tree) checkFile(f *folder, name, path string, info fs.FileInfo, now time.Time, event bool) {
	shared := severalNames(info)
	always := shared || info.Mode().Type() == fs.ModeSymlink
	t.link(f, name, always)
	found, ok := seen(path, info, now)
	if !ok {
		t.loseFile(f, name)
		return
	}
	known, had := f.files[name]
	switch {
	case had && !t.changed(path, known, &found, event):
		f.files[name] = found // its stamp may have become a proof
		return
	case had:
		t.journal.add(Change{Path: path, Kind: Changed})
	default:
		t.status.set(func(s *Status) { s.Files++ })
		t.journal.add(Change{Path: path, Kind: Created})
		if shared {
			t.shared[found.stamp.ID()] = struct{}{}
		}
	}
	if found.stamp.Racy() && (always || !t.events.on()) { // no event will name it
		found.sum, found.summed = t.sumOf(path, found.stamp)
	}
	f.files[name] = found
}

// changed compares what was found with what is known. A racy stamp proves nothing: what an event
// named has changed then, and else the content tells.
func (t *Tree) changed(path string, known file, found *file, event bool) bool {
	switch {
	case !found.stamp.SameState(known.stamp) || !found.link.SameState(known.link):
		return true
	case !known.stamp.Racy():
		return false
	case event || !known.summed:
		return true
	}
	found.sum, found.summed = t.sumOf(path, found.stamp)
	return !found.summed || found.sum != known.sum
}

// seen is what is found at a path; ok is false for what is no file.
func seen(path string, info fs.FileInfo, now time.Time) (found file, ok bool) {
	if info.Mode().Type() == fs.ModeSymlink {
		target, err := os.Stat(path)
		if err != nil || !target.Mode().IsRegular() {
			return file{}, false
		}
		return file{stamp: workspace.StampOf(target, now), link: workspace.StampOf(info, now)}, true
	}
	return file{stamp: workspace.StampOf(info, now)}, info.Mode().IsRegular()
}

// link notes that a name has to be looked at each time, or not any more.
func (t *Tree) link(f *folder, name string, always bool) {
	switch names := t.linked[f]; {
	case always && names == nil:
		t.linked[f] = map[string]struct{}{name: {}}
	case always:
		names[name] = struct{}{}
	default:
		t.unlink(f, name)
	}
}

// findNames notes the other names of files that have a new one: no event says that they have.
func (t *Tree) findNames(f *folder) {
	for name, known := range f.files {
		if _, ok := t.shared[known.stamp.ID()]; ok {
			t.link(f, name, true)
			t.todo.again(f, name)
		}
	}
	for _, inner := range f.folders {
		t.findNames(inner)
	}
}

func (t *Tree) unlink(f *folder, name string) {
	if names := t.linked[f]; names != nil {
		if delete(names, name); len(names) == 0 {
			delete(t.linked, f)
		}
	}
}

func (t *Tree) loseFile(f *folder, name string) {
	if _, had := f.files[name]; !had {
		return
	}
	delete(f.files, name)
	t.status.set(func(s *Status) { s.Files-- })
	t.journal.add(Change{Path: f.at(name), Kind: Deleted})
}

// loseFolder forgets a folder and all that is in it.
func (t *Tree) loseFolder(f *folder, name string) {
	inner := f.folders[name]
	if inner == nil {
		return
	}
	delete(f.folders, name)
	t.status.set(func(s *Status) { s.Folders-- })
	t.journal.add(Change{Path: inner.path, Kind: Deleted, Folder: true})
	t.empty(inner)
}

func (t *Tree) empty(f *folder) {
	f.gone = true
	t.todo.forget(f)
	t.events.drop(f)
	delete(t.linked, f)
	for name := range f.files {
		t.loseFile(f, name)
	}
	for name := range f.folders {
		t.loseFolder(f, name)
	}
}
