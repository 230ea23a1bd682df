package host

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/navseam/navseam/seam"
)

// path leads to a value of the configuration, key by key. An index is written "[0]".
type path []string

var plainKey = regexp.MustCompile(`^[\w-]+$`)

// String is the path as messages show it: servers.gopls.args[0].
func (p path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch {
		case strings.HasPrefix(step, "["):
			b.WriteString(step)
			continue
		case i > 0:
			b.WriteByte('.')
		}
		if plainKey.MatchString(step) {
			b.WriteString(step)
		} else {
			b.WriteString(strconv.Quote(step))
		}
	}
	return b.String()
}

// to extends the path; p is left as it is.
func (p path) to(steps ...string) path { return slices.Concat(p, steps) }

func (p path) at(index int) path { return p.to("[" + strconv.Itoa(index) + "]") }

// holds reports whether the value at q is the one at p or inside it.
func (p path) holds(q path) bool {
	return len(p) <= len(q) && slices.Equal(p, q[:len(p)])
}

// position is a place in the source, from one; columns count characters.
type position struct{ line, column int }

// problem is one thing that is wrong with a configuration.
type problem struct {
	path   path
	key    bool // it is the key that is wrong, not the value
	text   string
	source position // zero: the configuration has no source
}

func problemf(at path, format string, args ...any) problem {
	return problem{path: at, text: fmt.Sprintf(format, args...)}
}

// String is one line, and safe for a terminal.
func (p problem) String() string {
	text := strings.Map(visible, p.text)
	if len(p.path) == 0 {
		return text
	}
	return p.path.String() + ": " + text
}

// shownProblems bounds a message.
const shownProblems = 20

// failure makes one error of all problems; render writes one of them.
func failure(problems []problem, render func(problem) string) error {
	slices.SortStableFunc(problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.source.line, b.source.line), cmp.Compare(a.source.column, b.source.column))
	})
	var texts []string
	for _, p := range problems[:min(len(problems), shownProblems)] {
		texts = append(texts, render(p))
	}
	if more := len(problems) - shownProblems; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return &seam.Error{Code: seam.CodeInvalidConfig, Message: strings.Join(texts, "\n")}
}
