package egress

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Rule is one thing that a deployment allows. Of several that match a request, the one with the
// longest path counts.
type Rule struct {
	// URL is what URLs begin with: scheme, host, port and path, in whole path segments. The path
	// /api and the path /api/ allow the same: /api itself and all below it.
	URL string
	// Methods are GET and HEAD if none are given. CONNECT and TRACE are never served.
	Methods []string
	// Headers are added to what this rule matched, and win over those of a module. They may be
	// secret: no error and no response says them.
	Headers map[string]string
	// Private allows addresses that are not of the public internet.
	Private bool
	// BodyBytes limits a request's body, and that of its response as decoded; 0 is DefaultBodyBytes.
	BodyBytes int64
	// Timeout limits a request from its start, redirects included, to the end of its body; 0 is
	// DefaultTimeout.
	Timeout time.Duration
}

const (
	DefaultBodyBytes = 4 << 20
	MaxBodyBytes     = 1 << 30
	DefaultTimeout   = 30 * time.Second
)

// rule is a Rule that was checked.
type rule struct {
	index     int
	root      target
	prefix    string // of the path, without a slash at its end
	methods   []string
	headers   map[string]string // by canonical name
	private   bool
	bodyBytes int64
	timeout   time.Duration
	transport *http.Transport // of this rule alone: no connection outlives the check it was made under
}

// String names the rule as a deployment counts it.
func (r *rule) String() string { return fmt.Sprintf("http rule %d", r.index) }

func newRule(index int, given Rule) (*rule, error) {
	r := &rule{index: index, private: given.Private, bodyBytes: given.BodyBytes, timeout: given.Timeout}
	var err error
	if r.root, err = ruleTarget(given.URL); err != nil {
		return nil, fmt.Errorf("%s: url: %s", r, bare(err))
	}
	r.prefix = strings.TrimSuffix(r.root.path, "/")
	if r.methods, err = ruleMethods(given.Methods); err != nil {
		return nil, fmt.Errorf("%s: methods: %s", r, bare(err))
	}
	if r.headers, err = ruleHeaders(given.Headers); err != nil {
		return nil, fmt.Errorf("%s: headers: %s", r, bare(err))
	}
	switch {
	case r.bodyBytes == 0:
		r.bodyBytes = DefaultBodyBytes
	case r.bodyBytes < 0 || r.bodyBytes > MaxBodyBytes:
		return nil, fmt.Errorf("%s: bodyBytes is %d: write a number from 1 to %d, or leave it out for %d", r, r.bodyBytes, MaxBodyBytes, DefaultBodyBytes)
	}
	switch {
	case r.timeout == 0:
		r.timeout = DefaultTimeout
	case r.timeout < 0:
		return nil, fmt.Errorf("%s: timeoutMs is negative: write a positive number, or leave it out for %d", r, DefaultTimeout.Milliseconds())
	}
	return r, nil
}

// ruleTarget wants the path in its plain form: a rule must not mean something else than it says.
func ruleTarget(raw string) (target, error) {
	p, err := split(raw)
	if err != nil {
		return target{}, err
	}
	t, err := parseTarget(raw)
	switch {
	case err != nil:
		return target{}, err
	case strings.ContainsAny(raw, "?#"):
		return target{}, fmt.Errorf("a query or fragment is not matched: write %s", t)
	case p.path != "" && p.path != t.path:
		return target{}, fmt.Errorf("the path %s is not in its plain form: write %s", quote(p.path), t)
	}
	return t, nil
}

func ruleMethods(given []string) ([]string, error) {
	if len(given) == 0 {
		return []string{http.MethodGet, http.MethodHead}, nil
	}
	for _, method := range given {
		if err := checkMethod(method); err != nil {
			return nil, err
		}
	}
	return slices.Clone(given), nil
}

func ruleHeaders(given map[string]string) (map[string]string, error) {
	headers := make(map[string]string, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := checkFieldName(name); err != nil {
			return nil, err
		}
		value := given[name]
		switch {
		case fold(name) == "Accept-Encoding":
			return nil, fmt.Errorf("Accept-Encoding is the host's own, which decodes: leave it out")
		case value == "" || strings.Trim(value, " \t") != value || !validValue(value):
			return nil, fmt.Errorf("the value of %s is empty, has space at an end, or holds a line break or another control character", name)
		}
		for other := range headers {
			if fold(other) == fold(name) {
				return nil, fmt.Errorf("%s is there twice: write it once", name)
			}
		}
		headers[http.CanonicalHeaderKey(name)] = value
	}
	return headers, nil
}

// covers reports whether the rule is about a URL, whatever the method.
func (r *rule) covers(t target) bool {
	return t.sameOrigin(r.root) && (t.path == r.prefix || strings.HasPrefix(t.path, r.prefix+"/"))
}

// sets reports whether a header of a module would meet one of the rule.
func (r *rule) sets(name string) bool {
	for own := range r.headers {
		if fold(own) == fold(name) {
			return true
		}
	}
	return false
}

// clash finds two rules that would both count: same URL, same method.
func clash(rules []*rule) error {
	for i, r := range rules {
		for _, earlier := range rules[:i] {
			if !r.root.sameOrigin(earlier.root) || r.prefix != earlier.prefix {
				continue
			}
			for _, method := range r.methods {
				if slices.Contains(earlier.methods, method) {
					return fmt.Errorf("%s: %s %s is in %s too: write each method of a URL in one rule", r, method, r.root, earlier)
				}
			}
		}
	}
	return nil
}

// match finds the rule that counts, or says which one comes near.
func match(rules []*rule, method string, t target) (*rule, error) {
	var best, near *rule
	for _, r := range rules {
		switch {
		case !r.covers(t):
		case !slices.Contains(r.methods, method):
			near = r
		case best == nil || len(r.prefix) > len(best.prefix):
			best = r
		}
	}
	switch {
	case best != nil:
		return best, nil
	case near != nil:
		return nil, fmt.Errorf("%w: %s %s: add %s to methods of %s if it is meant", ErrNotAllowed, method, t, method, near)
	}
	return nil, fmt.Errorf("%w: %s %s: no http rule has a url that it begins with: add one if it is meant", ErrNotAllowed, method, t)
}
