//go:build unix

package changes

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is neither a file nor a folder is never opened.
func TestOtherThings(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		require.NoError(t, syscall.Mkfifo(h.at("fifo"), 0o600))
		h.write("d/a", "")
		require.NoError(t, syscall.Mkfifo(h.at("d/"+cacheTag), 0o600))
		require.Equal(t, "+d/a", h.look())
		h.remove("d/a")
		require.NoError(t, syscall.Mkfifo(h.at("d/a"), 0o600))
		require.Equal(t, "-d/a", h.look())
	})
}
