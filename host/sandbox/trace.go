package sandbox

import (
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/seam"
)

// handedOver is the argument, by its place, that says how many bytes a module hands over to a
// function, or 0. None is the first.
func handedOver() [abi.FunctionCount]int {
	return [abi.FunctionCount]int{
		abi.Hover:       1,
		abi.Message:     1,
		abi.Log:         2,
		abi.HTTPRequest: 7,
		abi.CachePut:    3,
	}
}

// traced notes each call where that is wanted, with what came of it and never what was in it.
func traced(name string, signature abi.Signature, handed int, body hostFunction) hostFunction {
	return func(g *guest, m memory, stack []uint64) error {
		if g.space.trace == nil {
			return body(g, m, stack)
		}
		size := int64(-1)
		if handed > 0 {
			size = int64(uint32(stack[handed]))
		}
		err := body(g, m, stack)
		var result any
		switch {
		case err != nil:
			result = "ended"
		case len(signature.Results) == 0:
		case signature.Results[0] == abi.I64:
			result = int64(stack[0])
		default:
			result = int32(uint32(stack[0]))
		}
		g.space.trace.Import(name, result, size)
		return err
	}
}

// ended notes what the guest's code came to, with its status or the word for what ended it.
func (s *space) ended(r run, result any) {
	if s.trace != nil {
		s.trace.Operation(r.what, result, time.Since(r.began))
	}
}

func endOf(err *seam.Error) string {
	if err.Reason != "" {
		return err.Reason
	}
	return string(err.Code)
}
