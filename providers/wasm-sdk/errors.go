package wasmsdk

import (
	"context"
	"errors"
	"io/fs"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// ErrUnsupported says that this operation is not supported here, for this document or at
// all: LSP_UNSUPPORTED_OPERATION. Better, if it is for all, do not export the operation.
var ErrUnsupported = errors.New("this operation is not supported here")

// Unavailable says that there is no answer now, and what is missing: LSP_UNAVAILABLE.
//
//	return nil, wasmsdk.Unavailable("the index is still being written")
type Unavailable string

func (u Unavailable) Error() string { return string(u) }

// outcome is how a call ends for an error. Any other error is LSP_PROVIDER_FAILED.
func outcome(err error) (abi.Status, string) {
	if err == nil {
		return abi.Done, ""
	}
	var unavailable Unavailable
	switch {
	case errors.Is(err, ErrUnsupported):
		return abi.Unsupported, err.Error()
	case errors.As(err, &unavailable):
		return abi.Unavailable, err.Error()
	default:
		return abi.Failed, err.Error()
	}
}

// CallError is the refusal of a helper by the host. It is fs.ErrNotExist, fs.ErrPermission,
// fs.ErrInvalid or context.DeadlineExceeded to errors.Is where the result says so.
type CallError struct {
	Call    string     // the import, such as "file_open"
	Subject string     // the path or URL, where there is one
	Result  abi.Result // negative
	Reason  string     // in the host's words
}

func (e *CallError) Error() string {
	subject := e.Subject
	if subject != "" {
		subject = " " + subject
	}
	return e.Call + subject + ": " + e.Reason
}

// Is compares by the meaning of the result.
func (e *CallError) Is(target error) bool {
	switch e.Result {
	case abi.NotThere:
		return target == fs.ErrNotExist
	case abi.NotAllowed:
		return target == fs.ErrPermission
	case abi.Deadline:
		return target == context.DeadlineExceeded
	case abi.BadArgument:
		return target == fs.ErrInvalid
	}
	return false
}

// refused makes the error of a negative result, which must be the last one.
func refused[R int32 | int64](call, subject string, result R) error {
	reason, _ := copyOut(make([]byte, 256), hostcall.Error)
	e := &CallError{Call: call, Subject: subject, Result: abi.Result(result), Reason: string(reason)}
	if e.Reason == "" {
		e.Reason = meaning(e.Result)
	}
	return e
}

func meaning(r abi.Result) string {
	switch r {
	case abi.NotThere:
		return "not there"
	case abi.NotAllowed:
		return "not allowed"
	case abi.OverLimit:
		return "over a limit"
	case abi.Deadline:
		return "the deadline passed"
	case abi.BadArgument:
		return "bad handle or argument"
	default:
		return "failed"
	}
}
