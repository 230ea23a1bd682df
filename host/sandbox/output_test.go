package sandbox

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// said collects what a guest logs: a line each, with its level.
func logging() (*guest, func() []string) {
	var written bytes.Buffer
	handler := slog.NewTextHandler(&written, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})
	g := &guest{space: &space{provider: &Provider{log: slog.New(handler)}}}
	return g, func() []string { return strings.Split(strings.TrimSuffix(written.String(), "\n"), "\n") }
}

func TestOutputIsLoggedByTheLine(t *testing.T) {
	g, lines := logging()
	g.output.write(g, 1, []byte("one\ntw"))
	g.output.write(g, 2, []byte("other stream\n\n"))
	g.output.write(g, 1, []byte("o\nthree"))
	g.output.write(g, 1, []byte("\xff\n"))
	g.output.write(g, 2, []byte("no end"))
	g.output.flush(g)
	require.Equal(t, []string{
		`level=INFO msg=one`, `level=INFO msg="other stream"`, `level=INFO msg=two`, `level=INFO msg="three�"`, `level=INFO msg="no end"`,
	}, lines())
}

func TestLongLinesAreCut(t *testing.T) {
	g, lines := logging()
	for range 1000 {
		g.output.write(g, 1, bytes.Repeat([]byte("x"), 1000))
	}
	g.output.write(g, 1, []byte("\nshort\n"))
	require.Equal(t, []string{"level=INFO msg=" + strings.Repeat("x", maxLineBytes), "level=INFO msg=short"}, lines())
}

func TestFloodsAreDroppedAndCounted(t *testing.T) {
	g, lines := logging()
	for range 100_000 {
		g.output.say(g, slog.LevelWarn, "again")
	}
	require.Less(t, len(lines()), 10_000, "a burst, and what a second or so allows")
	require.GreaterOrEqual(t, len(lines()), burstLines)
	require.Equal(t, 100_000, len(lines())+g.output.dropped)
}

func TestTheBeginningAndTheEndOfStandardErrorAreKept(t *testing.T) {
	g, _ := logging()
	require.Empty(t, g.output.said())
	g.output.write(g, 2, []byte("of an earlier call\n"))
	g.output.flush(g)
	g.output.write(g, 1, []byte("not this\n"))
	for range 100 {
		g.output.write(g, 2, []byte("0123456789\n"))
	}
	g.output.write(g, 2, []byte("panic:\n\tthe end\n"))
	said := g.output.said()
	require.True(t, strings.HasSuffix(said, "0123456789 panic: the end"), said)
	require.True(t, strings.HasPrefix(said, "0123456789 0123456789 "), said)
	require.LessOrEqual(t, len(said), maxHeadBytes+len(" … ")+maxTailBytes)
	g.output.write(g, 2, bytes.Repeat([]byte("y"), 5000))
	said = g.output.said()
	require.True(t, strings.HasPrefix(said, "0123456789 0123456789 "), said)
	require.True(t, strings.HasSuffix(said, " … "+strings.Repeat("y", maxTailBytes)), said)
}

func TestHeaderLines(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string // name, value, ...; nil when it is refused
	}{
		"none":               {"", []string{}},
		"one":                {"Accept: text/plain", []string{"Accept", "text/plain"}},
		"two":                {"A: 1\nB:2\n", []string{"A", "1", "B", "2"}},
		"empty lines":        {"\nA: 1\n\n", []string{"A", "1"}},
		"a colon in a value": {"A: b: c", []string{"A", "b: c"}},
		"no colon":           {"A", nil},
		"CR at the end":      {"A: 1\r\n", nil},
		"CR inside":          {"A: 1\rB: 2", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fields, ok := headerLines(test.text)
			require.Equal(t, test.want != nil, ok)
			got := []string{}
			for _, f := range fields {
				got = append(got, f.Name, f.Value)
			}
			if ok {
				require.Equal(t, test.want, got)
			}
		})
	}
}
