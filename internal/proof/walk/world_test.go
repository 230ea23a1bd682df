package walk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/navseam/navseam/seam"
)

// world is a workspace as it should be on disk. A library file declares one function, whose
// documentation has a version; every file calls functions of the library.
type world struct {
	language language
	files    map[string]*file // by path, with slashes, without the extension
}

// file is one source file.
type file struct {
	id       string // of one that only calls: it stays when the file is renamed
	declares string // empty for one that only calls
	version  int
	padding  int // lines before anything else
	calls    []string
}

// place is where a name stands in a text.
type place struct {
	file string // path, with slashes and the extension
	at   seam.Position
}

func (w *world) clone() *world {
	files := make(map[string]*file, len(w.files))
	for path, f := range w.files {
		copied := *f
		copied.calls = slices.Clone(f.calls)
		files[path] = &copied
	}
	return &world{w.language, files}
}

// declared lists the functions of the library, in order.
func (w *world) declared() []string {
	var names []string
	for _, path := range w.paths() {
		if name := w.files[path].declares; name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (w *world) paths() []string { return slices.Sorted(maps.Keys(w.files)) }

// users lists the files that only call.
func (w *world) users() []string {
	return slices.DeleteFunc(w.paths(), func(path string) bool { return w.files[path].declares != "" })
}

func (w *world) extension(f *file) string {
	if f.declares != "" {
		return w.language.library
	}
	return w.language.extension
}

// texts are all files of the workspace, those of the project included.
func (w *world) texts() map[string]string {
	texts := w.language.project(w)
	for path, f := range w.files {
		texts[path+w.extension(f)] = w.text(path, f).String()
	}
	return texts
}

func (w *world) text(path string, f *file) *text {
	t := &text{file: path + w.extension(f)}
	for i := range f.padding {
		t.line(w.language.comment + fmt.Sprintf(" line %d é", i))
	}
	w.language.print(t, f)
	return t
}

// found is what the workspace says of a function.
type found struct {
	declaration place
	uses        []place // the declaration included
	calls       []place
	version     string
}

func (w *world) find(name string) found {
	var all found
	for path, f := range w.files {
		t := w.text(path, f)
		for _, o := range t.occurrences {
			if o.name != name {
				continue
			}
			here := place{t.file, o.at}
			all.uses = append(all.uses, here)
			switch o.kind {
			case declaration:
				all.declaration = here
				all.version = version(f.version)
			case call:
				all.calls = append(all.calls, here)
			}
		}
	}
	return all
}

func version(n int) string { return fmt.Sprintf("v%04d", n) }

// text is a source text in the making, which notes where names stand.
type text struct {
	file        string
	lines       []string
	occurrences []occurrence
}

type kind int

const (
	declaration kind = iota
	call
	mention // an import
)

type occurrence struct {
	name string
	kind kind
	at   seam.Position
}

// line adds a line. A name in it is written <kind:name>, with d, c or m for the kind.
func (t *text) line(format string) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "<<")
		b.WriteString(before)
		if !ok {
			break
		}
		marked, after, _ := strings.Cut(rest, ">>")
		name := marked[2:]
		t.occurrences = append(t.occurrences, occurrence{
			name, map[byte]kind{'d': declaration, 'c': call, 'm': mention}[marked[0]],
			seam.Position{Line: len(t.lines), Character: len(utf16.Encode([]rune(b.String())))},
		})
		b.WriteString(name)
		format = after
	}
	t.lines = append(t.lines, b.String())
}

func (t *text) String() string { return strings.Join(t.lines, "\n") + "\n" }

// distinct are the functions that a file calls, in order.
func (f *file) distinct() []string { return slices.Compact(slices.Sorted(slices.Values(f.calls))) }
