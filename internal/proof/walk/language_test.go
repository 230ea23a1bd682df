package walk

// language prints the files of a world. The printed calls have characters before them that are
// more than one UTF-16 unit, or more than one byte.
type language struct {
	library   string // extension of the files that declare
	extension string // and of the others
	comment   string
	print     func(t *text, f *file)
	project   func(w *world) map[string]string // the other files
	leavesOut bool                             // a project of it can leave out the folder aside
}

// implementerOf is the name of the type in a file that implements another one.
func implementerOf(f *file, name string) string { return f.id + name }
