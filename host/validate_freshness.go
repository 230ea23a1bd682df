package host

import (
	slashpath "path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// freshness checks what the tags cannot say.
func (v *validator) freshness(at path, f Freshness) {
	v.patterns(at.to("watch"), f.Watch)
	v.patterns(at.to("restartOn"), f.RestartOn)
	for i, name := range f.Skip {
		if strings.TrimSpace(name) == "" || strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
			v.add(problemf(at.to("skip").at(i), "must be the name of a folder, and no path, not %s", quoted(name)))
		}
	}
}

func (v *validator) patterns(at path, patterns []string) {
	for i, pattern := range patterns {
		at := at.at(i)
		switch {
		case strings.TrimSpace(pattern) == "":
			v.add(problemf(at, "must not be blank: name a file, such as go.mod"))
		case strings.HasPrefix(pattern, "/") || slashpath.Clean(pattern) != pattern || strings.HasPrefix(pattern, ".."):
			v.add(problemf(at, "must be a name or a plain path below the folder where the server works, not %s", quoted(pattern)))
		case !doublestar.ValidatePattern(pattern):
			v.add(problemf(at, "must be a name or a pattern, such as tsconfig*.json, not %s: each [ needs a ], and each { a }", quoted(pattern)))
		}
	}
}
