package seam

import (
	"maps"
	"slices"
	"strings"
)

// Routes says which files a provider serves and each one's language id.
//
// Extensions are keys such as ".go" or, for compound suffixes, ".blade.php"; case
// and a missing leading dot do not matter. FileNames are exact base names such as
// "Makefile". A file is looked up by its base name, then by its longest suffix
// that begins with a dot, down to the final extension.
type Routes struct {
	Extensions map[string]string
	FileNames  map[string]string
}

// Language gives the language id of a file by its name; ok is false for one that is not
// served, or when the routes are unusable.
func (r Routes) Language(path string) (language string, ok bool) {
	keys, err := r.normalize()
	if err != nil {
		return "", false
	}
	for key := range routeKeys(path) {
		if language, ok := keys[key]; ok {
			return language, true
		}
	}
	return "", false
}

// normalize checks the routes and returns them as keys of one table.
func (r Routes) normalize() (map[string]string, error) {
	if len(r.Extensions) == 0 && len(r.FileNames) == 0 {
		return nil, Errorf(CodeInvalidProvider, "the provider routes no extension and no file name: name at least one")
	}
	keys := make(map[string]string, len(r.Extensions)+len(r.FileNames))
	for _, written := range slices.Sorted(maps.Keys(r.Extensions)) {
		language := r.Extensions[written]
		key, ok := extensionKey(written)
		if !ok {
			return nil, Errorf(CodeInvalidProvider,
				"extension %q is not usable: write a dot and then characters other than a dot, / or \\, as in \".go\" or \".blade.php\"", written)
		}
		if err := checkLanguage(written, language); err != nil {
			return nil, err
		}
		if _, twice := keys[key]; twice {
			return nil, Errorf(CodeInvalidProvider, "extension %q is given twice (case and the leading dot do not count): keep one", key)
		}
		keys[key] = language
	}
	for _, name := range slices.Sorted(maps.Keys(r.FileNames)) {
		if strings.TrimSpace(name) == "" || strings.ContainsAny(name, `/\`) {
			return nil, Errorf(CodeInvalidProvider, "file name %q is not usable: write a base name such as \"Makefile\"", name)
		}
		if err := checkLanguage(name, r.FileNames[name]); err != nil {
			return nil, err
		}
		keys[fileNameKey(name)] = r.FileNames[name]
	}
	return keys, nil
}

func checkLanguage(key, language string) error {
	if strings.TrimSpace(language) == "" {
		return Errorf(CodeInvalidProvider, "the language id of %q is blank: name one, as in \"go\"", key)
	}
	return nil
}

// extensionKey gives an extension its normal form: lower case, with its dot.
func extensionKey(written string) (string, bool) {
	key := strings.ToLower(written)
	if !strings.HasPrefix(key, ".") {
		key = "." + key
	}
	for segment := range strings.SplitSeq(key[1:], ".") {
		if segment == "" || strings.ContainsAny(segment, `/\`) {
			return "", false
		}
	}
	return key, true
}

// fileNameKey keeps base names apart from extensions: no extension has a slash.
func fileNameKey(name string) string { return "/" + name }

// routeKeys yields the keys under which a path may be routed, best first.
func routeKeys(path string) func(yield func(string) bool) {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return func(yield func(string) bool) {
		if base == "" || !yield(fileNameKey(base)) {
			return
		}
		lower := strings.ToLower(base)
		for i := 1; i < len(lower)-1; i++ { // a leading or trailing dot begins no extension
			if lower[i] == '.' && !yield(lower[i:]) {
				return
			}
		}
	}
}
