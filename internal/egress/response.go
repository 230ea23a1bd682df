package egress

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Response is a status, a header and a body that is read on demand. One goroutine at a time reads;
// any may close.
type Response struct {
	Status int
	// Header is as the server sent it, sorted by name, in UTF-8. Of a body that is decoded,
	// Content-Encoding and Content-Length are left out.
	Header []Field

	life   context.Context // ends with the time of the rule, and with the response
	endHop context.CancelFunc
	end    func(cause error) // set by Do
	once   sync.Once         // for end
	rule   *rule
	what   string // for messages
	body   io.Reader
	err    error // the first of the body, which later reads repeat
}

func newResponse(life context.Context, endHop context.CancelFunc, r *rule, o outgoing, answer *http.Response) *Response {
	body, decoded := decode(answer, r.bodyBytes)
	if decoded {
		answer.Header.Del("Content-Encoding")
		answer.Header.Del("Content-Length")
	}
	return &Response{
		Status: answer.StatusCode,
		Header: fields(answer.Header),
		life:   life,
		endHop: endHop,
		rule:   r,
		what:   o.String(),
		body:   &capped{from: body, left: r.bodyBytes},
	}
}

func fields(header http.Header) []Field {
	var all []Field
	for name, values := range header {
		for _, value := range values {
			all = append(all, Field{Name: name, Value: strings.ToValidUTF8(value, "\uFFFD")})
		}
	}
	slices.SortStableFunc(all, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Read waits for the body no longer than ctx and the time of the rule. At the end it gives io.EOF.
// A ctx that ends while it waits ends the response too.
func (r *Response) Read(ctx context.Context, p []byte) (int, error) {
	switch {
	case r.err != nil:
		return 0, r.err
	case ctx.Err() != nil:
		return 0, givenUp(r.what, ctx.Err())
	case r.life.Err() != nil:
		return 0, r.fail(r.life.Err())
	case len(p) == 0:
		return 0, nil
	}
	detach := context.AfterFunc(ctx, func() { r.finish(ctx.Err()) })
	defer detach()
	for {
		n, err := r.body.Read(p)
		if err != nil {
			err = r.fail(err)
		}
		if n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

func (r *Response) fail(err error) error {
	r.err = io.EOF
	if err != io.EOF {
		r.err = r.rule.explain(r.life, r.what, err)
	}
	r.finish(nil)
	return r.err
}

// Close ends the response. It never waits: the connection is closed by those who use it.
func (r *Response) Close() { r.finish(errResponseClosed) }

func (r *Response) finish(cause error) {
	r.once.Do(func() {
		r.end(cause)
		r.endHop()
	})
}
