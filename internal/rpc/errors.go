package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
)

var (
	// ErrClosed is matched by every error that comes of a connection that is gone.
	ErrClosed = errors.New("connection closed")

	// ErrMalformed is matched when one reply was unusable. The connection lives on.
	ErrMalformed = errors.New("malformed reply")

	// ErrFraming is matched by the cause of a [ClosedError] when the output of
	// the server could not be divided into messages any more.
	ErrFraming = errors.New("bad framing")

	// ErrClosedHere is matched by the cause of a [ClosedError] after Close.
	ErrClosedHere = errors.New("closed by this side")
)

// Codes that JSON-RPC defines.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// ClosedError says why the connection is gone. It matches [ErrClosed] and
// unwraps to the first cause.
type ClosedError struct{ Cause error }

func (e *ClosedError) Error() string        { return "connection closed: " + e.Cause.Error() }
func (e *ClosedError) Unwrap() error        { return e.Cause }
func (e *ClosedError) Is(target error) bool { return target == ErrClosed }

// Error is an error response, in either direction.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

func malformed(why string) error {
	return fmt.Errorf("%w: %s", ErrMalformed, why)
}

func badFraming(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFraming, fmt.Sprintf(format, args...))
}
