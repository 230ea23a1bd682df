package changes

// worklist is what has yet to be looked at. It keeps what a look that was cut short did not get
// to.
type worklist struct {
	folders  map[*folder]*task
	sweeping bool // each folder on the list brings those in it
}

// task is what has to be looked at in one folder.
type task struct {
	all   bool
	names map[string]bool // true: an event named it
}

// manyNames is from how many names on a folder is read as a whole.
const manyNames = 256

func newWorklist() worklist { return worklist{folders: make(map[*folder]*task)} }

func (w *worklist) task(f *folder) *task {
	t := w.folders[f]
	if t == nil {
		t = &task{}
		w.folders[f] = t
	}
	return t
}

// whole has a folder read.
func (w *worklist) whole(f *folder) { w.task(f).all = true }

// sweep has a folder read, and everything below it.
func (w *worklist) sweep(f *folder) {
	w.whole(f)
	w.sweeping = true
}

// name has one name of a folder looked at, which an event named.
func (w *worklist) name(f *folder, name string) { w.add(f, name, true) }

// again has one name of a folder looked at in case it changed.
func (w *worklist) again(f *folder, name string) { w.add(f, name, false) }

func (w *worklist) add(f *folder, name string, event bool) {
	t := w.task(f)
	if t.names == nil {
		t.names = make(map[string]bool)
	}
	t.names[name] = t.names[name] || event
}

// next takes a folder from the list.
func (w *worklist) next() (*folder, *task) {
	for f, t := range w.folders {
		delete(w.folders, f)
		return f, t
	}
	w.sweeping = false
	return nil, nil
}

// back puts on the list what was not finished.
func (w *worklist) back(f *folder, t *task) { w.folders[f] = t }

// forget drops a folder that is gone.
func (w *worklist) forget(f *folder) { delete(w.folders, f) }
