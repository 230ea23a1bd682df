package seam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Code names a kind of failure. Codes are stable; texts are not.
type Code string

// The codes. Every failure of navseam has one of them.
const (
	CodeInvalidProvider      Code = "LSP_INVALID_PROVIDER"      // a provider's id or routes are unusable
	CodeConflict             Code = "LSP_CONFLICT"              // an id or a route is taken
	CodeUnavailable          Code = "LSP_UNAVAILABLE"           // no provider for this file, or none free now
	CodeDisposed             Code = "LSP_DISPOSED"              // closed
	CodeUnsupportedOperation Code = "LSP_UNSUPPORTED_OPERATION" // the provider cannot answer this operation
	CodeMalformedResponse    Code = "LSP_MALFORMED_RESPONSE"    // the provider's answer has no usable shape
	CodeWorkspaceRequired    Code = "LSP_WORKSPACE_REQUIRED"    // no workspace root, or one that is no folder
	CodeInvalidArgs          Code = "LSP_INVALID_ARGS"          // bad operation, coordinate, or position outside the text
	CodeSourceRejected       Code = "LSP_SOURCE_REJECTED"       // the file may not or can not be read; see Reason
	CodeProviderFailed       Code = "LSP_PROVIDER_FAILED"       // the provider died, answered with an error, or speaks another dialect
	CodeTimeout              Code = "LSP_TIMEOUT"               // a deadline passed: the caller's, or the deployment's if Limit is set
	CodeCancelled            Code = "LSP_CANCELLED"             // the caller gave up
	CodeInvalidConfig        Code = "LSP_INVALID_CONFIG"        // configuration, executable, pin, grant or variable
	CodeInternal             Code = "LSP_INTERNAL"              // a bug of navseam
)

// Reasons refine CodeSourceRejected, CodeWorkspaceRequired and, for how a language server or a
// module failed, CodeProviderFailed. CodeInvalidConfig has ReasonMissing for a program or a
// module that is not there.
const (
	ReasonMissing      = "missing"
	ReasonOutside      = "outside"       // outside the workspace
	ReasonNotRegular   = "not-regular"   // folder, device, FIFO, socket
	ReasonNotDirectory = "not-directory" // a root that is no folder
	ReasonTooLarge     = "too-large"     // more bytes than the deployment allows
	ReasonBinary       = "binary"        // a NUL byte
	ReasonNotUTF8      = "not-utf8"      // bytes that are not UTF-8
	ReasonUnreadable   = "unreadable"    // any other failure to read
	ReasonTrap         = "trap"          // the module did what WebAssembly does not allow
	ReasonExit         = "exit"          // the module, or the server, ended itself
	ReasonBreach       = "breach"        // the module used the ABI, or the server its protocol, as it does not allow
	ReasonNotStarted   = "not-started"   // the system did not run the server's program
	ReasonNotServer    = "not-a-server"  // the program writes text where a language server writes messages
)

// Error is the failure of a query, a registration or a configuration.
type Error struct {
	Code       Code
	Message    string        // what happened, where, and what to do
	Reason     string        // a stable word that refines the code, or empty
	Limit      string        // config key of the limit that passed, or empty
	Retryable  bool          // whether the same call may succeed later
	RetryAfter time.Duration // when that is known
	Err        error         // the cause, or nil
}

// Errorf makes an error with that code. A %w verb makes its operand the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// Error returns the message; the code is a field of its own.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WithReason sets the reason and returns e.
func (e *Error) WithReason(reason string) *Error {
	e.Reason = reason
	return e
}

// MarshalJSON gives {"code","message"} and, where they are set, "reason", "limit",
// "retryable", "retryAfterMs" and "server" (the code, message and data of a server's
// own error).
func (e *Error) MarshalJSON() ([]byte, error) {
	var server *ServerError
	errors.As(e.Err, &server)
	return json.Marshal(struct {
		Code         Code         `json:"code"`
		Message      string       `json:"message"`
		Reason       string       `json:"reason,omitempty"`
		Limit        string       `json:"limit,omitempty"`
		Retryable    bool         `json:"retryable,omitempty"`
		RetryAfterMs int64        `json:"retryAfterMs,omitempty"`
		Server       *ServerError `json:"server,omitempty"`
	}{e.Code, e.Message, e.Reason, e.Limit, e.Retryable, e.RetryAfter.Milliseconds(), server})
}

// ServerError is the cause of a CodeProviderFailed when the provider answered
// with an error of its own: its code, message and data as they came.
type ServerError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *ServerError) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// CodeOf returns the code of an error: that of the first [*Error] in its chain,
// else LSP_TIMEOUT or LSP_CANCELLED for a context's error, else LSP_INTERNAL. No
// error has the empty code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return AsError(err).Code
}

// AsError gives any error a code, as [CodeOf] describes. It returns nil for nil.
func AsError(err error) *Error {
	var coded *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeTimeout, Message: "the deadline passed before there was an answer", Retryable: true, Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: CodeCancelled, Message: "the query was cancelled", Retryable: true, Err: err}
	default:
		return &Error{Code: CodeInternal, Message: err.Error(), Err: err}
	}
}

// ContextError says why ctx is done: the cause that it was cancelled with when
// that has a code, else LSP_TIMEOUT or LSP_CANCELLED. It returns nil while ctx is
// not done.
func ContextError(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	var coded *Error
	if errors.As(context.Cause(ctx), &coded) {
		return coded
	}
	e := AsError(ctx.Err())
	if cause := context.Cause(ctx); cause != ctx.Err() {
		e.Message += ": " + cause.Error()
		e.Err = errors.Join(ctx.Err(), cause)
	}
	return e
}
