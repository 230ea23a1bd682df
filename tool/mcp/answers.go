package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

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
