package walk

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// question is one to a server, and its answer.
type question struct {
	name string
	op   seam.Operation
	at   place

	places []place // the answer, but that of hover
	stamp  string  // what hover has, and no other
	times  int     // and how often at least
}

func (q question) String() string {
	return fmt.Sprintf("%s of %s at %s", q.op, q.name, shown([]place{q.at}))
}

// about makes a question about a name, at its declaration or where it is used. Files aside are not
// asked about, and no file that is linked: who asks is taken to ask about what the link leads to.
func (j *judge) about(name string, random *rand.Rand) question {
	is := j.truths[name]
	uses := slices.DeleteFunc(slices.Clone(is.elsewhere), func(p place) bool {
		_, ok := j.walker.linked(p.file)
		return ok || isAside(p.file)
	})
	asked := question{name: name, at: is.declaration, stamp: is.stamp, times: 2, places: is.uses}
	ops := []seam.Operation{seam.OpFindReferences, seam.OpFindReferences, seam.OpHover}
	if is.abstract {
		asked.times = 1
		if j.server.implementation {
			ops = append(ops, seam.OpGoToImplementation, seam.OpGoToImplementation)
		}
	}
	if len(uses) > 0 && random.IntN(2) == 0 {
		asked.at = uses[random.IntN(len(uses))]
		ops = append(ops, seam.OpGoToDefinition)
	}
	switch asked.op = ops[random.IntN(len(ops))]; asked.op {
	case seam.OpGoToDefinition:
		asked.places = []place{is.declaration}
	case seam.OpGoToImplementation:
		asked.places = is.implementers
		if j.server.implementsItself {
			asked.places = append(slices.Clone(asked.places), is.declaration)
		}
	}
	return asked
}

// stamps are the versions in a text.
var stamps = regexp.MustCompile(`\bv\d{4}\b`)

// wrong says what is wrong with an answer; "" is nothing.
func (j *judge) wrong(q question, result seam.Result) string {
	if q.op != seam.OpHover {
		want, got := shown(q.places), shown(j.placesOf(result.(seam.Locations)))
		if want == got {
			return ""
		}
		return "expected " + difference(want, got) + "got " + difference(got, want)
	}
	hover := result.(seam.HoverResult).Hover
	if hover == nil {
		return "expected " + q.stamp + ", got nothing"
	}
	found := stamps.FindAllString(hover.Contents, -1)
	if len(found) < q.times || slices.ContainsFunc(found, func(s string) bool { return s != q.stamp }) {
		return fmt.Sprintf("expected %s %d times, got %q", q.stamp, q.times, hover.Contents)
	}
	return ""
}

// difference is how many places there are, and those that the other does not have.
func difference(places, other string) string {
	all := strings.Fields(places)
	own := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(strings.Fields(other), p) })
	if len(own) > 20 {
		own = append(own[:20], "…")
	}
	return fmt.Sprintf("%d places, alone %v; ", len(all), own)
}

// placesOf are the places of an answer, by the names that the workspace has for them.
func (j *judge) placesOf(answer seam.Locations) []place {
	var places []place
	for _, item := range answer.Items {
		path, err := workspace.PathOf(item.URI)
		require.NoError(j.t, err)
		name, err := filepath.Rel(j.walker.root, j.inside(path))
		require.NoError(j.t, err)
		places = append(places, place{filepath.ToSlash(name), item.Range})
	}
	return places
}

// inside is the name of the link that leads to a file: servers that resolve links name that one.
func (j *judge) inside(path string) string {
	if filepath.Ext(path) != ".text" {
		return path
	}
	for name := range j.walker.texts {
		if target, ok := j.walker.linked(name); ok && target == path {
			return j.walker.full(name)
		}
	}
	return path
}

// shown is places in order, each once: of a link servers may name it and where it leads.
func shown(places []place) string {
	var words []string
	for _, p := range places {
		words = append(words, fmt.Sprintf("%s:%d:%d-%d:%d", p.file, p.at.Start.Line, p.at.Start.Character, p.at.End.Line, p.at.End.Character))
	}
	slices.SortFunc(words, cmp.Compare)
	return strings.Join(slices.Compact(words), " ")
}

func completenessOf(result seam.Result) seam.Completeness {
	if hover, ok := result.(seam.HoverResult); ok {
		return hover.Completeness
	}
	return result.(seam.Locations).Completeness
}
