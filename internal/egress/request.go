package egress

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Field is one line of a header.
type Field struct{ Name, Value string }

// Request is what a module asks for. Nothing of it is trusted.
type Request struct {
	Method, URL string
	// Header must not hold what the host sets itself, as Host and Content-Length, what belongs to
	// a connection, and what a rule sets. Accept-Encoding is left out: the host decodes.
	Header []Field
	Body   []byte // is not used any more once Do has returned
}

const maxHeaderBytes = 64 << 10

// outgoing is a request that was checked, and can be matched and sent.
type outgoing struct {
	method string
	to     target
	header []Field
	body   []byte
}

func newOutgoing(q Request) (outgoing, error) {
	if err := checkMethod(q.Method); err != nil {
		return outgoing{}, err
	}
	to, err := parseTarget(q.URL)
	if err != nil {
		return outgoing{}, err
	}
	header, err := checkFields(q.Header)
	return outgoing{method: q.Method, to: to, header: header, body: q.Body}, err
}

func (o outgoing) String() string { return o.method + " " + o.to.String() }

func checkMethod(method string) error {
	switch {
	case !isToken(method) || strings.ToUpper(method) != method || len(method) > maxQuoted:
		return fmt.Errorf("%w: the method %s: write it as GET or POST", ErrBadRequest, quote(method))
	case method == http.MethodConnect || method == http.MethodTrace:
		return fmt.Errorf("%w: the method %s is never served", ErrNotAllowed, method)
	}
	return nil
}

func checkFields(given []Field) ([]Field, error) {
	size := 0
	var fields []Field
	for _, f := range given {
		if size += len(f.Name) + len(f.Value) + len(": \r\n"); size > maxHeaderBytes {
			return nil, fmt.Errorf("%w: the request header is larger than %d bytes", ErrOverLimit, maxHeaderBytes)
		}
		if err := checkFieldName(f.Name); err != nil {
			return nil, err
		}
		if !validValue(f.Value) {
			return nil, fmt.Errorf("%w: the value of the header %s holds a line break or another control character", ErrBadRequest, f.Name)
		}
		if fold(f.Name) != "Accept-Encoding" {
			fields = append(fields, Field{Name: http.CanonicalHeaderKey(f.Name), Value: strings.Trim(f.Value, " \t")})
		}
	}
	return fields, nil
}

func checkFieldName(name string) error {
	if !isToken(name) {
		return fmt.Errorf("%w: the header name %s: write letters, digits and -", ErrBadRequest, quote(name))
	}
	folded := fold(name)
	switch folded {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Te", "Trailer", "Upgrade", "Http2-Settings", "Expect":
		return fmt.Errorf("%w: the header %s is the host's own: leave it out", ErrBadRequest, name)
	case "X-Http-Method-Override", "X-Http-Method", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url":
		return fmt.Errorf("%w: the header %s asks for another method or URL than the one that rules are matched against", ErrBadRequest, name)
	}
	if strings.HasPrefix(folded, "Proxy-") {
		return fmt.Errorf("%w: the header %s is for a proxy, and there is none: leave it out", ErrBadRequest, name)
	}
	return nil
}

// fold gives names that some server takes for the same one spelling.
func fold(name string) string {
	return http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-"))
}

// allowedBy checks what depends on the rule that matched.
func (o outgoing) allowedBy(r *rule) error {
	for _, f := range o.header {
		if r.sets(f.Name) {
			return fmt.Errorf("%w: the header %s is set by headers of %s: leave it out", ErrNotAllowed, f.Name, r)
		}
	}
	return nil
}

// build makes what is sent. Headers of the rule come from the rule that matched this request, and
// never from an earlier one of the same chain.
func (o outgoing) build(ctx context.Context, r *rule) (*http.Request, error) {
	if size := int64(len(o.body)); size > r.bodyBytes {
		return nil, fmt.Errorf("%w: the request body of %s has %d bytes, and %d are the most: raise bodyBytes of %s", ErrOverLimit, o, size, r.bodyBytes, r)
	}
	u, err := o.to.url()
	if err != nil {
		return nil, err
	}
	q := &http.Request{Method: o.method, URL: u, Host: u.Host, Header: o.headerFor(r), ContentLength: int64(len(o.body))}
	if len(o.body) > 0 {
		body := bytes.Clone(o.body) // a server may answer before it is sent, and Do is over then
		q.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		q.Body, _ = q.GetBody()
	}
	return q.WithContext(ctx), nil
}

func (o outgoing) headerFor(r *rule) http.Header {
	h := http.Header{"User-Agent": {"navseam"}, "Accept-Encoding": {"gzip"}}
	for _, f := range o.header {
		switch {
		case r.sets(f.Name): // after a redirect
		case f.Name == "User-Agent":
			h.Set(f.Name, f.Value)
		default:
			h.Add(f.Name, f.Value)
		}
	}
	for name, value := range r.headers {
		h.Set(name, value)
	}
	if h.Get("Range") != "" || o.method == http.MethodHead { // a part of a gzip cannot be decoded
		h.Set("Accept-Encoding", "identity")
	}
	return h
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && !('0' <= c && c <= '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

func validValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
