package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A call may recurse deep, but an instance does not keep the stack of it.
func TestDeepStacksAreNotKept(t *testing.T) {
	code := compiled(t, Wazero, "deep", "deep")
	instance := instantiated(t, code, nil)
	deep := func(depth uint64) uint64 {
		stack := []uint64{depth}
		require.NoError(t, instance.Call(t.Context(), 0, stack))
		return stack[0]
	}
	require.EqualValues(t, 10, deep(10))
	before, _ := memoryInUse(t)
	const depth = 1_000_000 // of frames of 32 bytes and more
	require.EqualValues(t, depth, deep(depth))
	require.EqualValues(t, 10, deep(10), "the instance is as good as before")
	after, _ := memoryInUse(t)
	require.Less(t, after-before, int64(16<<20))
}
