package egress

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// MaxOpen is how many requests and responses of a client may be open at once.
const MaxOpen = 64

// Client does the requests of one module. It is safe for concurrent use.
type Client struct {
	rules []*rule
	life  context.Context // ends with the client; all connections and requests end with it
	end   context.CancelCauseFunc
	open  atomic.Int32
}

// New checks the rules. Its error says which one is wrong, and what to write. The caller closes
// the client.
func New(rules []Rule) (*Client, error) { return Network{}.Client(rules) }

// Client is New on this network.
func (n Network) Client(rules []Rule) (*Client, error) {
	n = n.withDefaults()
	c := &Client{}
	for i, given := range rules {
		r, err := newRule(i, given)
		if err != nil {
			return nil, err
		}
		c.rules = append(c.rules, r)
	}
	if err := clash(c.rules); err != nil {
		return nil, err
	}
	c.life, c.end = context.WithCancelCause(context.Background())
	for _, r := range c.rules {
		r.transport = n.transport(c.life, r)
	}
	return c, nil
}

// Close ends all: idle connections, requests and responses. It never waits.
func (c *Client) Close() { c.end(errClientClosed) }

// Do returns once the header of the response is in, and redirects are followed. The end of ctx
// ends it, but not the response, which must be closed. A status of 400 and above is no error.
func (c *Client) Do(ctx context.Context, q Request) (*Response, error) {
	o, err := newOutgoing(q)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, givenUp(o.String(), ctx.Err())
	}
	if c.open.Add(1) > MaxOpen {
		c.open.Add(-1)
		return nil, fmt.Errorf("%w: %d requests are open: close the responses of earlier ones", ErrOverLimit, MaxOpen)
	}
	life, cancel := context.WithCancelCause(c.life)
	end := func(cause error) {
		cancel(cause)
		c.open.Add(-1)
	}
	detach := context.AfterFunc(ctx, func() { cancel(ctx.Err()) })
	response, err := c.follow(life, o)
	if attached := detach(); err == nil && !attached {
		err = givenUp(o.String(), ctx.Err())
	}
	if err != nil {
		end(nil)
		return nil, err
	}
	response.end = end
	return response, nil
}

// follow sends the request, and then what its redirects lead to.
func (c *Client) follow(life context.Context, o outgoing) (*Response, error) {
	start := time.Now()
	for redirects := 0; ; redirects++ {
		r, err := match(c.rules, o.method, o.to)
		if err == nil && redirects == 0 {
			err = o.allowedBy(r)
		}
		if err != nil {
			return nil, afterRedirects(redirects, err)
		}
		hop, end := context.WithDeadlineCause(life, start.Add(r.timeout), errTookTooLong)
		answer, err := r.send(hop, o)
		if err != nil {
			end()
			return nil, afterRedirects(redirects, err)
		}
		next, redirected, err := o.redirect(answer.StatusCode, answer.Header)
		if !redirected {
			return newResponse(hop, end, r, o, answer), nil
		}
		discard(answer)
		end()
		if err != nil {
			return nil, err
		}
		if redirects == maxRedirects {
			return nil, fmt.Errorf("%w: %s: the server redirects more than %d times", ErrFailed, o, maxRedirects)
		}
		o = next
	}
}

func (r *rule) send(hop context.Context, o outgoing) (*http.Response, error) {
	q, err := o.build(hop, r)
	if err != nil {
		return nil, err
	}
	answer, err := r.transport.RoundTrip(q)
	if err != nil {
		return nil, r.explain(hop, o.String(), err)
	}
	if answer.StatusCode == http.StatusSwitchingProtocols { // nobody asked for it
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%w: %s: the server switched to another protocol", ErrFailed, o)
	}
	return answer, nil
}

// discard reads a small body to its end, so that the connection can be used again.
func discard(answer *http.Response) {
	const small = 2 << 10
	if answer.ContentLength >= 0 && answer.ContentLength <= small {
		_, _ = io.Copy(io.Discard, answer.Body)
	}
}

func afterRedirects(n int, err error) error {
	if n == 0 {
		return err
	}
	return fmt.Errorf("%w (redirects: %d)", err, n)
}
