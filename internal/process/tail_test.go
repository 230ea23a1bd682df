package process

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestTail(t *testing.T) {
	tests := []struct {
		name   string
		limit  int
		writes []string
		want   string
	}{
		{"A-058 the last emoji", 4, []string{"\U0001F600\U0001F601"}, "\U0001F601"},
		{"A-058 across chunks", 4, []string{"\U0001F600\xF0\x9F", "\x98", "\x81"}, "\U0001F601"},
		{"A-058 bytes, not characters", 3, []string{"a\U0001F601"}, "\x9F\x98\x81"},
		{"less than the limit", 9, []string{"ab", "cd"}, "abcd"},
		{"one by one", 3, []string{"a", "b", "c", "d", "e", "f", "g", "h"}, "fgh"},
		{"long after short", 3, []string{"ab", "cdefgh"}, "fgh"},
		{"short after long", 3, []string{"abcdef", "g"}, "efg"},
		{"nothing kept", 0, []string{"ab", "c"}, ""},
		{"negative", -1, []string{"ab", "c"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			kept := &tail{limit: test.limit}
			for _, w := range test.writes {
				n, err := kept.Write([]byte(w))
				require.NoError(t, err)
				require.Equal(t, len(w), n)
			}
			require.Equal(t, test.want, kept.String())
		})
	}
}

func TestTailCollects(t *testing.T) {
	kept := &tail{limit: 3}
	kept.collect(iotest.OneByteReader(strings.NewReader("abcdef")))
	require.Equal(t, "def", kept.String())
}

// A tail of all that was written so far, however it was cut into writes.
func FuzzTail(f *testing.F) {
	f.Add("abcdefgh", 3, 2)
	f.Add("\U0001F600\U0001F601", 4, 1)
	f.Fuzz(func(t *testing.T, text string, limit, step int) {
		limit, step = limit&0xff, step&0xf+1
		kept := &tail{limit: limit}
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			kept.Write([]byte(rest[:n]))
			rest = rest[n:]
			written := text[:len(text)-len(rest)]
			require.Equal(t, written[max(len(written)-limit, 0):], kept.String())
			require.LessOrEqual(t, len(kept.buf), 2*limit)
		}
	})
}
