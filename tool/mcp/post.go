package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// final reports whether the server would refuse all else too: it has another token, or no
// longer knows the session.
func (e *refusedError) final() bool {
	return e.status != http.StatusBadRequest && e.status != http.StatusRequestEntityTooLarge
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
			header.Set(versionHeader, own)
			header.Set(methodHeader, call.Method)
			if call.Method == "tools/call" {
				header.Set(nameHeader, params.Name)
			}
			return
		}
	}
	if session != "" {
		header.Set(sessionHeader, session)
	}
	if version != "" {
		header.Set(versionHeader, version)
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

// receive passes on what a response holds.
func (r *relay) receive(ctx context.Context, message jsonrpc.Message, response *http.Response) error {
	kind := response.Header.Get("Content-Type")
	body := bufio.NewReader(response.Body)
	switch {
	case strings.HasPrefix(kind, "text/event-stream"):
		return r.receiveEvents(ctx, message, body)
	case strings.HasPrefix(kind, "application/json") && response.StatusCode != http.StatusUnauthorized:
		text, err := io.ReadAll(io.LimitReader(body, maxAnswerBytes))
		if err != nil {
			return err
		}
		return r.receiveAnswer(ctx, message, text)
	case response.StatusCode >= 300:
		text, err := io.ReadAll(io.LimitReader(body, 4<<10))
		if err != nil {
			return err
		}
		return &refusedError{response.StatusCode, strings.TrimSpace(string(text))}
	}
	_, err := io.Copy(io.Discard, io.LimitReader(body, maxAnswerBytes)) // accepted
	return err
}

// maxAnswerBytes is the largest message that a server may send.
const maxAnswerBytes = 64 << 20

// receiveEvents passes on messages. One of them answers the call.
func (r *relay) receiveEvents(ctx context.Context, message jsonrpc.Message, body *bufio.Reader) error {
	events := bufio.NewScanner(body)
	events.Buffer(nil, maxAnswerBytes)
	var data []byte
	answered := false
	for events.Scan() {
		line := events.Bytes()
		if more, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(more, []byte(" "))...), '\n')
			continue
		}
		if len(line) > 0 || len(data) == 0 {
			continue
		}
		if err := r.receiveOne(ctx, message, data); err != nil {
			return err
		}
		answered = answered || answers(data, message)
		data = nil
	}
	switch err := events.Err(); {
	case answered:
		return nil
	case err != nil:
		return err
	default:
		return errNoAnswer
	}
}

var errNoAnswer = errors.New("the connection ended before the answer")

// answers reports whether a message is the answer to a call.
func answers(text []byte, message jsonrpc.Message) bool {
	call, isCall := message.(*jsonrpc.Request)
	decoded, wrong := decode(text)
	response, isResponse := decoded.(*jsonrpc.Response)
	return isCall && wrong == nil && isResponse && response.ID == call.ID
}

// receiveAnswer passes on the answer to a call. Errors that the server could not match to
// the call have no id.
func (r *relay) receiveAnswer(ctx context.Context, message jsonrpc.Message, text []byte) error {
	if answers(text, message) {
		return r.receiveOne(ctx, message, text)
	}
	var failure struct {
		Error *jsonrpc.Error `json:"error"`
	}
	if err := json.Unmarshal(text, &failure); err != nil || failure.Error == nil {
		return &refusedError{http.StatusBadRequest, "the server's answer is no JSON-RPC message"}
	}
	return failure.Error
}

func (r *relay) receiveOne(ctx context.Context, asked jsonrpc.Message, text []byte) error {
	message, wrong := decode(text)
	if wrong != nil {
		return &refusedError{http.StatusBadRequest, "the server sent what is no JSON-RPC message"}
	}
	if response, ok := message.(*jsonrpc.Response); ok {
		r.agree(asked, response)
	}
	if err := r.conn.Write(ctx, message); err != nil {
		r.bridge.Log.Debug("the client is gone", "error", err)
	}
	return nil
}

// agree notes the version that a handshake settled on.
func (r *relay) agree(asked jsonrpc.Message, answer *jsonrpc.Response) {
	if call, ok := asked.(*jsonrpc.Request); !ok || call.Method != "initialize" {
		return
	}
	var result struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(answer.Result, &result) // an error agrees on nothing
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = result.Version
}

// cancelled is the id of the call that a notification cancels.
func cancelled(params json.RawMessage) (jsonrpc.ID, error) {
	var told struct {
		ID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(params, &told); err != nil {
		return jsonrpc.ID{}, err
	}
	return decodeID(told.ID)
}

// withoutURL says what failed; where is said already.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
