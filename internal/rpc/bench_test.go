package rpc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Sixteen times the bytes must take about sixteen times as long, also when they
// arrive in chunks of 512 bytes.
func BenchmarkFraming1MB(b *testing.B)  { benchmarkFraming(b, 1_000_000, 16_000_000) }
func BenchmarkFraming16MB(b *testing.B) { benchmarkFraming(b, 16_000_000, 16_000_000) }

// A message over the limit passes in memory of a constant size.
func BenchmarkOversized1MB(b *testing.B)  { benchmarkFraming(b, 1_000_000, 1000) }
func BenchmarkOversized16MB(b *testing.B) { benchmarkFraming(b, 16_000_000, 1000) }

func benchmarkFraming(b *testing.B, size, limit int) {
	input := frame(locations(size))
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		f := newFrameReader(chunks{strings.NewReader(input)}, limit)
		m, err := f.next()
		require.NoError(b, err)
		require.Equal(b, uint64(1), m.call)
	}
}

// locations is a reply with references, of exactly so many bytes.
func locations(size int) string {
	const location = `{"uri":"file:///src/some/package/file.go","range":{"start":{"line":120,"character":4},"end":{"line":120,"character":17}}},`
	const start, end = `{"jsonrpc":"2.0","result":[`, `0],"id":1}`
	body := start + strings.Repeat(location, (size-len(start)-len(end))/len(location)) + end
	return body + strings.Repeat(" ", size-len(body))
}

type chunks struct{ r io.Reader }

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(512, len(p))]) }

// A call and its reply, against a server that answers at once.
func BenchmarkRoundTrip(b *testing.B) { benchmarkRoundTrip(b, nil) }

// The same with a listener: what a message costs that is passed on.
func BenchmarkRoundTripSeen(b *testing.B) {
	messages := 0
	benchmarkRoundTrip(b, func(bool, []byte, int) { messages++ })
}

func benchmarkRoundTrip(b *testing.B, seen func(bool, []byte, int)) {
	stdout, server := io.Pipe()
	w := &answering{out: server}
	w.result = `[` + strings.Repeat(`{"uri":"file:///a.go","range":{}},`, 100) + `0]`
	c := NewConn(stdout, w, Options{MaxMessageBytes: 16_000_000, OnMessage: seen})
	b.Cleanup(func() { c.Close() })
	b.ReportAllocs()
	for b.Loop() {
		call, err := c.Call("textDocument/references", map[string]int{"line": 1})
		require.NoError(b, err)
		_, err = call.Wait(b.Context())
		require.NoError(b, err)
	}
}

type answering struct {
	out    *io.PipeWriter
	result string
	calls  int
}

func (a *answering) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(`"id"`)) {
		a.calls++
		go io.WriteString(a.out, frame(fmt.Sprintf(`{"id":%d,"result":%s}`, a.calls, a.result)))
	}
	return len(p), nil
}

func (a *answering) Close() error { return a.out.Close() }
