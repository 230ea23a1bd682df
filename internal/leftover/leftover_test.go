package leftover

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoroutinesAreFoundByTheirPackage(t *testing.T) {
	require.True(t, runs("goroutine 7 [select]:\nexample.com/a/b.(*T).run(0x1)", []string{"none", "a/b."}))
	require.False(t, runs("goroutine 7 [select]:\nexample.com/a/bc.run()", []string{"none", "a/b."}))
	require.Empty(t, goroutines([]string{"no/such/package."}))
}
