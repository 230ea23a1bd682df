package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	sessionHeader = "Mcp-Session-Id"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
)

// refusedError is a status of HTTP other than success.
type refusedError struct {
	status int
	text   string
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("it answered with status %d: %s", e.status, e.text)
}

// final reports whether the server would refuse all else too: it has another token, is
// another server, or no longer knows the session.
func (e *refusedError) final() bool {
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	}
	return e.status < http.StatusBadRequest
}

// ofMessage reports whether the message was at fault.
func (e *refusedError) ofMessage() bool {
	return e.status == http.StatusBadRequest || e.status == http.StatusRequestEntityTooLarge
}

// post sends one message, and gives the client all that the server sends back for it.
func (r *relay) post(ctx context.Context, message jsonrpc.Message, sent func()) error {
	body, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { sent() }})
	request, err := http.NewRequestWithContext(traced, http.MethodPost, r.target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.sign(request)
	r.describe(request.Header, message)
	response, err := r.client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer response.Body.Close()
	r.joinSession(message, response)
	return r.receive(ctx, message, response)
}

// sign says who asks.
func (r *relay) sign(request *http.Request) {
	request.Header.Set("Authorization", "Bearer "+r.bridge.Token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	r.bridge.Folders.name(request.Header)
}

// describe repeats in headers what a message says of itself, as the protocol wants it.
func (r *relay) describe(header http.Header, message jsonrpc.Message) {
	r.mu.Lock()
	session, version := r.session, r.version
	r.mu.Unlock()
	if call, ok := message.(*jsonrpc.Request); ok {
		var params struct {
			Name string                     `json:"name"`
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		_ = json.Unmarshal(call.Params, &params) // what has another shape, the server refuses
		var own string
		_ = json.Unmarshal(params.Meta[sdk.MetaKeyProtocolVersion], &own)
		if own >= firstWithoutRequests {
			setPlain(header, versionHeader, own)
			setPlain(header, methodHeader, call.Method)
			if call.Method == "tools/call" {
				setPlain(header, nameHeader, params.Name)
			}
			return
		}
	}
	if session != "" {
		header.Set(sessionHeader, session)
	}
	if version != "" {
		setPlain(header, versionHeader, version)
	}
}

// setPlain leaves out what cannot stand in a header; the server then says what it misses.
func setPlain(header http.Header, name, value string) {
	if !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		header.Set(name, value)
	}
}

// joinSession notes the session that a handshake began.
func (r *relay) joinSession(message jsonrpc.Message, response *http.Response) {
	if call, ok := message.(*jsonrpc.Request); ok && call.Method == "initialize" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.session = response.Header.Get(sessionHeader)
	}
}

// withoutURL says what failed; where is said already.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
