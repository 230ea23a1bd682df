package egress

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const maxRedirects = 10

// redirect gives the request that a response leads to, with the methods and bodies of net/http.
// A redirect without a Location is an answer like any other.
func (o outgoing) redirect(status int, header http.Header) (next outgoing, found bool, err error) {
	location := header.Get("Location")
	if location == "" {
		return outgoing{}, false, nil
	}
	next = o
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if next.method != http.MethodHead {
			next.method = http.MethodGet
		}
		next.body = nil
		next.header = without(next.header, "Content-Encoding", "Content-Language", "Content-Location", "Content-Type")
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return outgoing{}, false, nil
	}
	if next.to, err = o.to.follow(location); err != nil {
		return outgoing{}, true, fromServer(err, o)
	}
	if !next.to.sameOrigin(o.to) { // what a module tells one server is not for the next
		next.header = without(next.header, "Authorization", "Cookie", "Cookie2", "Www-Authenticate")
	}
	return next, true, nil
}

// follow resolves a Location.
func (t target) follow(location string) (target, error) {
	reference, _, _ := strings.Cut(location, "#")
	origin := t.scheme + "://" + t.authority()
	switch {
	case hasScheme(reference):
		return parseTarget(reference)
	case strings.HasPrefix(reference, "//"):
		return parseTarget(t.scheme + ":" + reference)
	case strings.HasPrefix(reference, "/"):
		return parseTarget(origin + reference)
	case reference == "":
		return t, nil
	case strings.HasPrefix(reference, "?"):
		return parseTarget(origin + t.path + reference)
	}
	return parseTarget(origin + t.path[:strings.LastIndexByte(t.path, '/')+1] + reference)
}

// hasScheme reports a colon before anything that only a path can hold.
func hasScheme(reference string) bool {
	end := strings.IndexAny(reference, ":/?")
	return end > 0 && reference[end] == ':'
}

// fromServer blames a bad Location on the server, not on the module.
func fromServer(err error, o outgoing) error {
	kind := ErrFailed
	if errors.Is(err, ErrNotAllowed) {
		kind = ErrNotAllowed
	}
	return fmt.Errorf("%w: %s was redirected: %v", kind, o, err)
}

func without(fields []Field, names ...string) []Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return slices.Contains(names, fold(f.Name)) })
}
