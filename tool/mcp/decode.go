package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// fault is a message that cannot be used, and the answer to it.
type fault struct {
	id   json.RawMessage // of the answer; nil is null
	code int
	text string
}

func (f fault) answer() []byte {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	answer, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: int64(f.code), Message: f.text}})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`) // not reached: the id was JSON
	}
	return answer
}

// split takes apart a line that holds one message or a batch of them.
func split(line []byte) (messages []json.RawMessage, batch bool, wrong *fault) {
	line = bytes.TrimSpace(line)
	if !utf8.Valid(line) || !json.Valid(line) {
		return nil, false, &fault{code: jsonrpc.CodeParseError, text: "parse error: each line is one JSON-RPC message, in UTF-8"}
	}
	if line[0] != '[' {
		return []json.RawMessage{line}, false, nil
	}
	if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 {
		return nil, false, &fault{code: jsonrpc.CodeInvalidRequest, text: "invalid request: the batch is empty"}
	}
	return messages, true, nil
}

// decode reads one message.
func decode(text []byte) (jsonrpc.Message, *fault) {
	var wire struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   *jsonrpc.Error  `json:"error"`
	}
	err := json.Unmarshal(text, &wire)
	id, badID := decodeID(wire.ID)
	invalid := func(text string) (jsonrpc.Message, *fault) {
		f := &fault{code: jsonrpc.CodeInvalidRequest, text: "invalid request: " + text}
		if badID == nil && id.IsValid() {
			f.id = wire.ID
		}
		return nil, f
	}
	switch {
	case err != nil:
		return invalid("it is no JSON-RPC message")
	case badID != nil:
		return invalid(badID.Error())
	case wire.Version != "2.0":
		return invalid(`"jsonrpc" must be "2.0"`)
	case wire.Method != nil:
		return &jsonrpc.Request{ID: id, Method: *wire.Method, Params: wire.Params}, nil
	case !id.IsValid():
		return invalid(`it has neither "method" nor "id"`)
	}
	response := &jsonrpc.Response{ID: id, Result: wire.Result}
	if wire.Error != nil {
		response.Error = wire.Error // no nil *jsonrpc.Error in an interface
	}
	return response, nil
}

// decodeID reads an id; a notification has none.
func decodeID(text json.RawMessage) (jsonrpc.ID, error) {
	if text == nil {
		return jsonrpc.ID{}, nil
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return jsonrpc.ID{}, err
	}
	switch value := value.(type) {
	case string:
		return jsonrpc.MakeID(value)
	case float64:
		const exact = 1 << 53 // beyond it the answer would carry another number
		if value == math.Trunc(value) && math.Abs(value) <= exact {
			return jsonrpc.MakeID(value)
		}
	}
	return jsonrpc.ID{}, errBadID
}

// methodCancelled is the notification that a call is no longer wanted.
const methodCancelled = "notifications/cancelled"

var errBadID = errors.New(`"id" must be a string, or an integer of at most 2^53`)

func inUse(id jsonrpc.ID) *fault {
	return &fault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("invalid request: a call with the id %v is under way", id.Raw())}
}

// cancelledID is the id of the call that a notification cancels.
func cancelledID(params json.RawMessage) (jsonrpc.ID, error) {
	var told struct {
		ID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(params, &told); err != nil {
		return jsonrpc.ID{}, err
	}
	return decodeID(told.ID)
}
