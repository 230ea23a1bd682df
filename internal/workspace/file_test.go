package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadAt(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, filepath.Join(w.work, "digits"), "0123456789")
	file, err := newFolder(t, w).Open(t.Context(), "digits")
	require.NoError(t, err)
	defer file.Close()
	for _, c := range []struct {
		room int
		off  int64
		want string
		err  error
	}{
		{4, 0, "0123", nil},
		{4, 3, "3456", nil},
		{10, 0, "0123456789", nil},
		{20, 0, "0123456789", nil}, // short, and the end comes up at the next read
		{4, 8, "89", nil},
		{0, 0, "", nil},
		{0, 50, "", nil},
		{4, 10, "", io.EOF},
		{4, 1 << 62, "", io.EOF},
		{4, -1, "", fs.ErrInvalid},
	} {
		p := bytes.Repeat([]byte{'.'}, c.room)
		n, err := file.ReadAt(t.Context(), p, c.off)
		require.ErrorIs(t, err, c.err)
		require.Equal(t, c.want, string(p[:n]))
		require.Equal(t, bytes.Repeat([]byte{'.'}, c.room-n), p[n:], "no more is written than was read")
	}
	size, err := file.Size(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 10, size)

	write(t, filepath.Join(w.work, "digits"), "01234567890123456789") // grows under the reader
	size, err = file.Size(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 20, size)
}

func TestReadAtIsBounded(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	require.NoError(t, os.Truncate(w.good, 3<<20))
	file, err := newFolder(t, w).Open(t.Context(), "good.go")
	require.NoError(t, err)
	defer file.Close()
	n, err := file.ReadAt(t.Context(), make([]byte, 2<<20), 0)
	require.NoError(t, err)
	require.Equal(t, 1<<20, n)
}

// The memory of a caller that has left is not written: it may be used otherwise by then.
func TestReadAtHammerOfCallersThatLeave(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, filepath.Join(w.work, "large"), string(bytes.Repeat([]byte{'x'}, maxRead)))
	file, err := newFolder(t, w).Open(t.Context(), "large")
	require.NoError(t, err)
	defer file.Close()
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			p := make([]byte, maxRead)
			for i := range 200 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*2*time.Microsecond)
				n, err := file.ReadAt(ctx, p, 0)
				cancel()
				if err != nil && (!errors.Is(err, context.DeadlineExceeded) || n != 0) {
					t.Errorf("%d bytes: %v", n, err)
				}
				if err == nil && n != maxRead {
					t.Errorf("%d bytes", n)
				}
				clear(p) // the race detector sees whoever writes to it still
			}
			if bytes.IndexByte(p, 'x') >= 0 {
				t.Error("it was written after all")
			}
		})
	}
	callers.Wait()
	require.NoError(t, w.files.Wait(t.Context()))
}

func TestReadAtHammerOfClose(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	folder := newFolder(t, w)
	for range 200 {
		file, err := folder.Open(t.Context(), "good.go")
		require.NoError(t, err)
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				p := make([]byte, 100)
				for {
					n, err := file.ReadAt(t.Context(), p, 0)
					if errors.Is(err, fs.ErrClosed) {
						return
					}
					if err != nil || string(p[:n]) != goodText {
						t.Errorf("%q: %v", p[:n], err)
						return
					}
				}
			})
		}
		file.Close()
		readers.Wait()
	}
}
