package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/navseam/navseam/seam"
)

// relay is one run of a bridge.
type relay struct {
	bridge Bridge
	target string
	client *http.Client
	conn   *lineConn
	posts  sync.WaitGroup
	end    context.CancelCauseFunc // of all that is under way

	mu      sync.Mutex
	session string // that the server gave us
	version string // of the protocol that was agreed on
	cancels map[jsonrpc.ID]context.CancelCauseFunc
	lost    error // why the server is no longer there
}

func (r *relay) run(ctx context.Context) error {
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	r.end = end
	defer context.AfterFunc(ctx, func() { end(errEnding()) })()
	for {
		message, err := r.conn.Read(life)
		if err != nil {
			break // the end, however it came
		}
		r.pass(life, message)
	}
	end(errEnding()) // a client that is gone wants no answer
	r.conn.end()
	done := make(chan struct{})
	go func() {
		r.posts.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endLimit): // a client that does not read holds nobody up
	}
	r.leave(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// pass sends a message on. What comes back goes to the client from a goroutine, but the next
// message is not sent before this one is, and not before a session has begun.
func (r *relay) pass(life context.Context, message jsonrpc.Message) {
	call, isRequest := message.(*jsonrpc.Request)
	if isRequest && call.Method == methodCancelled && r.cancel(call) {
		return
	}
	post, done := r.begin(life, message)
	sent := make(chan struct{})
	r.posts.Go(func() {
		defer done()
		err := r.post(post, message, sync.OnceFunc(func() { close(sent) }))
		if err != nil {
			r.fail(post, message, err)
		}
	})
	if isRequest && call.Method == "initialize" {
		<-post.Done()
		return
	}
	select {
	case <-sent:
	case <-post.Done():
	}
}

// begin makes the context of one message, which is over when that is.
func (r *relay) begin(life context.Context, message jsonrpc.Message) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(life)
	call, ok := message.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return ctx, func() { cancel(nil) }
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancels[call.ID] = cancel
	return ctx, func() {
		cancel(nil)
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.cancels, call.ID)
	}
}

// cancel ends a call where there is no session that a notification could reach: then the
// end of its request is what says so.
func (r *relay) cancel(notification *jsonrpc.Request) bool {
	id, err := cancelledID(notification.Params)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session != "" || err != nil {
		return r.session == ""
	}
	if cancel := r.cancels[id]; cancel != nil {
		cancel(&seam.Error{Code: seam.CodeCancelled, Message: "the call was cancelled"})
	}
	return true
}

// fail answers a call that the server did not.
func (r *relay) fail(ctx context.Context, message jsonrpc.Message, err error) {
	var told *jsonrpc.Error
	var refused *refusedError
	switch cause := context.Cause(ctx); {
	case cause != nil:
		err = cause
	case errors.As(err, &told): // an answer like others
	case !errors.As(err, &refused) || refused.final():
		r.lose(err)
	}
	call, ok := message.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return
	}
	answer := &jsonrpc.Response{ID: call.ID, Error: r.explain(err)}
	if err := r.conn.Write(ctx, answer); err != nil {
		r.bridge.Log.Debug("the client is gone", "error", err)
	}
}

// lose ends all that is under way, with the first reason that there was.
func (r *relay) lose(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost == nil {
		r.lost = &seam.Error{Code: seam.CodeUnavailable, Message: "the server at " + r.target + " cannot be used: " + err.Error(), Err: err}
	}
	r.end(r.lost)
}

// explain makes an error of JSON-RPC.
func (r *relay) explain(err error) *jsonrpc.Error {
	var told *jsonrpc.Error
	var refused *refusedError
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &refused) && refused.ofMessage():
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: refused.text}
	case seam.CodeOf(err) == seam.CodeUnavailable: // it says where
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	default:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "navseam at " + r.target + ": " + err.Error()}
	}
}

// leave tells the server that the session is over, if it still listens.
func (r *relay) leave(ctx context.Context) {
	r.mu.Lock()
	session, lost := r.session, r.lost
	r.mu.Unlock()
	if session == "" || lost != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodDelete, r.target, nil)
	if err != nil {
		return
	}
	r.sign(request)
	request.Header.Set(sessionHeader, session)
	if response, err := r.client.Do(request); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
		_ = response.Body.Close()
	}
}
