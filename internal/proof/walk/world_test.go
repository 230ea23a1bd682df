package walk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/navseam/navseam/seam"
)

// world is a workspace as it should be on disk. A file of the library declares one name, a
// function or a type to be implemented; the other files call the functions and implement the types.
type world struct {
	language language
	files    map[string]*file // by path, with slashes, without the extension
	leftOut  bool             // the folder aside is not of the project now
}

// aside is a folder that projects leave out at times. Nobody asks about files there: whether they
// are of the project is to be learned from the project's own file.
const aside = "use/aside"

func isAside(path string) bool { return strings.HasPrefix(path, aside+"/") }

// file is one source file.
type file struct {
	id         string // of one that only uses: it stays when the file is renamed
	declares   string // empty for one that only uses
	abstract   bool   // what it declares is a type
	version    int    // is in the documentation and, of a function, in the signature
	padding    int    // lines before anything else
	calls      []string
	implements []string // each once
}

func (w *world) clone() *world {
	files := make(map[string]*file, len(w.files))
	for path, f := range w.files {
		copied := *f
		copied.calls = slices.Clone(f.calls)
		copied.implements = slices.Clone(f.implements)
		files[path] = &copied
	}
	return &world{w.language, files, w.leftOut}
}

func (w *world) paths() []string { return slices.Sorted(maps.Keys(w.files)) }

// users lists the files that only use.
func (w *world) users() []string {
	return slices.DeleteFunc(w.paths(), func(path string) bool { return w.files[path].declares != "" })
}

// names lists what the library declares, in order.
func (w *world) names() []string { return append(w.functions(), w.types()...) }

func (w *world) functions() []string { return w.declared(false) }
func (w *world) types() []string     { return w.declared(true) }

func (w *world) declared(abstract bool) []string {
	var names []string
	for _, path := range w.paths() {
		if f := w.files[path]; f.declares != "" && f.abstract == abstract {
			names = append(names, f.declares)
		}
	}
	return names
}

// forget removes a name, and what uses it.
func (w *world) forget(name string) {
	delete(w.files, "lib/"+name)
	is := func(used string) bool { return used == name }
	for _, f := range w.files {
		f.calls = slices.DeleteFunc(f.calls, is)
		f.implements = slices.DeleteFunc(f.implements, is)
	}
}

func (w *world) extension(path string) string {
	if w.files[path].declares != "" {
		return w.language.library
	}
	return w.language.extension
}

// texts are all files of the workspace, those of the project included.
func (w *world) texts() map[string]string {
	texts := w.language.project(w)
	for path := range w.files {
		texts[path+w.extension(path)] = w.text(path).String()
	}
	return texts
}

func (w *world) text(path string) *text {
	f := w.files[path]
	t := &text{file: path + w.extension(path)}
	for i := range f.padding {
		t.line(w.language.comment + fmt.Sprintf(" line %d é", i))
	}
	w.language.print(t, f)
	return t
}

// used are the names that a file has from the library, in order, each once.
func (f *file) used() []string {
	return slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(f.calls), f.implements...))))
}

// stamp is the version as texts have it.
func (f *file) stamp() string { return fmt.Sprintf("v%04d", f.version) }

// place is where a name stands.
type place struct {
	file string // path, with slashes and the extension
	at   seam.Range
}

// truth is what the workspace says of a name.
type truth struct {
	abstract     bool
	declaration  place
	uses         []place // the declaration included
	elsewhere    []place // the uses without it
	implementers []place
	stamp        string
}

// truths are those of all names.
func (w *world) truths() map[string]*truth {
	all := make(map[string]*truth)
	for _, path := range w.paths() {
		if f := w.files[path]; f.declares != "" {
			all[f.declares] = &truth{abstract: f.abstract, stamp: f.stamp()}
		}
	}
	for _, path := range w.paths() {
		if w.leftOut && isAside(path) {
			continue
		}
		t := w.text(path)
		for _, o := range t.occurrences {
			of, here := all[o.name], place{t.file, o.at}
			switch o.role {
			case implementer:
				of.implementers = append(of.implementers, here)
				continue
			case declaration:
				of.declaration = here
			default:
				of.elsewhere = append(of.elsewhere, here)
			}
			of.uses = append(of.uses, here)
		}
	}
	return all
}
