package workspace

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestReadContent(t *testing.T) {
	const limit = 20000
	w := newWorld(t, ViewOptions{MaxBytes: limit})
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name, content string
		text          string // expected, when reason is empty
		reason        string
	}{
		{"empty", "", "", ""},
		{"A-070 only a mark", mark, "", ""},
		{"A-070 mark and text", mark + "a", "a", ""},
		{"A-070 only the first mark", mark + mark + "a" + mark, mark + "a" + mark, ""},
		{"A-070 half a mark is no mark", "\xef\xbb", "", seam.ReasonNotUTF8},
		{"A-072 line endings", "a\r\nb\nc\rd\u2028e\n\r\n", "a\r\nb\nc\rd\u2028e\n\r\n", ""},
		{"A-072 control characters", "\x01\x02\x1b[31m\x7f\t\v\f", "\x01\x02\x1b[31m\x7f\t\v\f", ""},
		{"A-071 at the limit", x(limit), x(limit), ""},
		{"A-071 under the limit", x(limit - 1), x(limit - 1), ""},
		{"A-071 over the limit", x(limit + 1), "", seam.ReasonTooLarge},
		{"A-071 far over the limit", x(limit * 10), "", seam.ReasonTooLarge},
		{"A-071 A-070 at the limit, a mark not counted", mark + x(limit), x(limit), ""},
		{"A-071 A-070 over the limit with a mark", mark + x(limit+1), "", seam.ReasonTooLarge},
		{"A-071 counts bytes", strings.Repeat("é", limit/2), strings.Repeat("é", limit/2), ""},
		{"A-071 a character across the limit", x(limit-1) + "é", "", seam.ReasonTooLarge},
		{"A-069 NUL first", "\x00", "", seam.ReasonBinary},
		{"A-069 NUL in the last byte looked at", x(head-1) + "\x00", "", seam.ReasonBinary},
		{"A-069 NUL behind", x(head) + "\x00", x(head) + "\x00", ""},
		{"A-069 NUL in a file that is too large", "\x00" + x(limit), "", seam.ReasonBinary},
		{"A-069 literal replacement character", "a\uFFFDb", "a\uFFFDb", ""},
		{"A-069 four bytes at every alignment", "😀a😀ab😀abc😀" + strings.Repeat("😀", 4000), "😀a😀ab😀abc😀" + strings.Repeat("😀", 4000), ""},
		{"A-069 not UTF-8 at the end", x(limit-1) + "\xff", "", seam.ReasonNotUTF8},
		{"A-069 cut off character", "a\xe2\x82", "", seam.ReasonNotUTF8},
		{"A-069 lone continuation", "a\x80", "", seam.ReasonNotUTF8},
		{"A-069 overlong", "\xc0\xaf", "", seam.ReasonNotUTF8},
		{"A-069 surrogate", "\xed\xa0\x80", "", seam.ReasonNotUTF8},
		{"A-069 above U+10FFFF", "\xf4\x90\x80\x80", "", seam.ReasonNotUTF8},
		{"A-069 Latin-1", "gr\xfc\xdfe", "", seam.ReasonNotUTF8},
		{"A-069 UTF-16", "\xff\xfea\x00", "", seam.ReasonBinary},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(w.work, "content.txt")
			write(t, path, c.content)
			source, err := w.view.Read(t.Context(), path)
			if c.reason != "" {
				requireError(t, err, seam.CodeSourceRejected, c.reason)
				require.Zero(t, source)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.text, source.Text)
		})
	}
}

// characters may lie across the pieces in which a file arrives.
func TestReadCharactersAcrossBuffers(t *testing.T) {
	w := newWorld(t, ViewOptions{MaxBytes: 16 << 20})
	for shift := range 4 {
		text := strings.Repeat("x", shift) + strings.Repeat("😀", 1<<20)
		write(t, w.good, text)
		source, err := w.view.Read(t.Context(), w.good)
		require.NoError(t, err)
		require.True(t, source.Text == text)
	}
}

// the error says the limit and how much was seen, and reading stops there.
func TestReadOfTooLargeAFileSaysHowLarge(t *testing.T) {
	w := newWorld(t, ViewOptions{MaxBytes: 10})
	write(t, w.good, strings.Repeat("x", 11))
	_, err := w.view.Read(t.Context(), w.good)
	e := requireError(t, err, seam.CodeSourceRejected, seam.ReasonTooLarge)
	require.Contains(t, e.Message, "the limit is 10 bytes and 11 were seen")
	require.Equal(t, "maxDocumentBytes", e.Limit)

	write(t, w.good, strings.Repeat("x", 1<<20))
	_, err = w.view.Read(t.Context(), w.good)
	require.Contains(t, err.Error(), "the limit is 10 bytes and 14 were seen", "one byte and a mark more than the limit")
}

func TestReadUpToDoesNotTrustTheSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	content := bytes.Repeat([]byte("0123456789"), 1000)
	require.NoError(t, os.WriteFile(path, content, 0o644))
	for _, size := range []int64{-1, 0, 1, 9999, 10000, 10001, 1 << 40, math.MaxInt64} {
		for _, limit := range []int64{-1, 0, 1, 5000, 9999, 10000, 1 << 40, math.MaxInt64} {
			t.Run(fmt.Sprintf("size %d limit %d", size, limit), func(t *testing.T) {
				file, err := os.Open(path)
				require.NoError(t, err)
				defer file.Close()
				raw, err := readUpTo(t.Context(), file, size, limit)
				require.NoError(t, err)
				want := content
				if limit < 10000 {
					want = content[:min(max(limit, 0)+4, 10000)]
				}
				require.Equal(t, string(want), string(raw))
			})
		}
	}
}

func TestReadUpToStopsWithItsContext(t *testing.T) {
	file, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer file.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	raw, err := readUpTo(ctx, file, 1<<20, 1<<20)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, raw)
}

func TestReadOfADocumentThatIsNotText(t *testing.T) {
	w := newWorld(t, ViewOptions{})
	write(t, w.good, mark+"good é\n\xffbad")
	_, err := w.view.Read(t.Context(), w.good)
	require.Contains(t, err.Error(), "line 2 cannot be decoded")
	write(t, w.good, "good\x00")
	_, err = w.view.Read(t.Context(), w.good)
	require.Contains(t, err.Error(), "byte 4 is NUL")
}
