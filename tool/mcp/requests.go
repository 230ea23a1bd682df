package mcp

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/navseam/navseam/seam"
)

// requests are the HTTP requests that are being answered. Without a store of events nobody
// can fetch an answer later, so a call ends with the request that it came in. The library
// hands calls the headers of their request and not its context: a header leads from the
// one to the other.
type requests struct {
	mu   sync.Mutex
	next uint64
	open map[string]context.Context
}

// requestHeader never leaves the process.
const requestHeader = "Navseam-Request"

// enter takes in a request until the function that it returns is called.
func (r *requests) enter(request *http.Request) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]context.Context{}
	}
	r.next++
	id := strconv.FormatUint(r.next, 10)
	r.open[id] = request.Context()
	request.Header.Set(requestHeader, id) // in the place of one that came from outside
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.open, id)
	}
}

// count is how many requests are being answered.
func (r *requests) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.open)
}

// cancelWith cancels a call when the request that it came in ends, until the function that
// it returns is called.
func (r *requests) cancelWith(call *sdk.CallToolRequest, cancel context.CancelCauseFunc) (leave func()) {
	if call.Extra == nil {
		return func() {}
	}
	r.mu.Lock()
	request, ok := r.open[call.Extra.Header.Get(requestHeader)]
	r.mu.Unlock()
	if !ok {
		return func() {}
	}
	stop := context.AfterFunc(request, func() {
		cancel(&seam.Error{Code: seam.CodeCancelled, Message: "the client went away", Retryable: true})
	})
	return func() { stop() }
}

// drained waits until all are answered, for no longer than a limit.
func (r *requests) drained(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for r.count() > 0 {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}
