package abi

import "github.com/navseam/navseam/seam"

// What a module exports beside its operations.
const (
	ExportMemory     = "memory"
	ExportInitialize = "_initialize" // () -> (), optional: once an instance, first
	ExportLoad       = "load"        // () -> i32, optional: once an instance, after _initialize
	ExportStart      = "_start"      // of a command, which is no provider
)

// OperationExport is the name under which a module exports an operation: its own.
func OperationExport(op seam.Operation) string { return op.String() }

// The signatures of the exports.
func InitializeSignature() Signature { return signature(":") }
func LoadSignature() Signature       { return signature(":i") }
func OperationSignature() Signature  { return signature("ii:i") }

// Status is what an operation returns; load returns the first, the third or anything else
// for failed.
type Status int32

// The status values. Any other is a malformed answer.
const (
	Done        Status = 0 // what was handed over is the answer
	Unsupported Status = 1 // this operation is not supported here
	Unavailable Status = 2 // not now: the index is missing, the upstream is down
	Failed      Status = 3
)
