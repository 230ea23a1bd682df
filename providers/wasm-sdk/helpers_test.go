//go:build !wasip1

package wasmsdk_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/abi"
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
	"github.com/navseam/navseam/providers/wasm-sdk/wasmsdktest"
	"github.com/navseam/navseam/seam"
)

// during runs f inside of a call, where helpers work.
func during(t *testing.T, host *wasmsdktest.Host, f func()) wasmsdktest.Answer {
	t.Helper()
	return host.Load(t, func() int32 { return wasmsdk.Load(func() error { f(); return nil }) })
}

func TestMountIsAFileSystem(t *testing.T) {
	mount := fstest.MapFS{
		"a.txt":          {Data: []byte("one")},
		"empty":          {},
		"folder/b.txt":   {Data: []byte(strings.Repeat("two", 10_000))},
		"folder/c/d.txt": {Data: []byte("three")},
	}
	host := &wasmsdktest.Host{Mounts: map[string]fs.FS{"index": mount}}
	during(t, host, func() {
		require.NoError(t, fstest.TestFS(wasmsdk.FS("index"), "a.txt", "empty", "folder/b.txt", "folder/c/d.txt"))
	})
}

func TestFilesAreClosed(t *testing.T) {
	host := &wasmsdktest.Host{Mounts: map[string]fs.FS{"index": fstest.MapFS{"a": {Data: []byte("0123456789")}}}}
	during(t, host, func() {
		var open []*wasmsdk.File
		for range abi.MaxOpenFiles {
			file, err := wasmsdk.Open("index/a")
			require.NoError(t, err)
			open = append(open, file)
		}
		_, err := wasmsdk.Open("index/a")
		var refusal *wasmsdk.CallError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, abi.OverLimit, refusal.Result)

		require.NoError(t, open[7].Close())
		_, err = open[7].Size()
		require.ErrorIs(t, err, fs.ErrInvalid)
		again, err := wasmsdk.Open("index/a")
		require.NoError(t, err)
		part := make([]byte, 4)
		n, err := again.ReadAt(part, 3)
		require.NoError(t, err)
		require.Equal(t, "3456", string(part[:n]))
	})
}

func TestRefusalsHaveAMeaning(t *testing.T) {
	meanings := map[abi.Result]error{
		abi.NotThere:    fs.ErrNotExist,
		abi.NotAllowed:  fs.ErrPermission,
		abi.Deadline:    context.DeadlineExceeded,
		abi.BadArgument: fs.ErrInvalid,
	}
	for _, result := range []abi.Result{abi.NotThere, abi.NotAllowed, abi.OverLimit, abi.CallFailed, abi.Deadline, abi.BadArgument} {
		err := error(&wasmsdk.CallError{Call: "file_open", Subject: "a", Result: result, Reason: "because"})
		require.EqualError(t, err, "file_open a: because")
		for of, meaning := range meanings {
			require.Equal(t, of == result, errors.Is(err, meaning), "%d is %v", result, meaning)
		}
	}
}

// odd is a host that other hosts are not: its source comes in small pieces, its cached value
// grows between two calls, and it says no reasons.
type odd struct {
	hostcall.Host // none: what is not here is not called
	cached        string
	records       []int // number in each call of locations
	ranges        []uint32
}

func (*odd) Path(p []byte) int32   { return int32(copy(p, "a")) }
func (*odd) Language([]byte) int32 { return 0 }
func (*odd) SourceSize() int32     { return 10 }
func (*odd) Error([]byte) int32    { return 0 }
func (*odd) FileOpen(string) int32 { return int32(abi.NotThere) }
func (*odd) Hover(string)          {}
func (o *odd) Locations(records []hostcall.Record, _ []string) {
	o.records = append(o.records, len(records))
}

func (*odd) Source(offset uint32, p []byte) int32 {
	return int32(copy(p[:min(3, len(p))], "0123456789"[offset:]))
}

func (o *odd) CacheGet(_ string, p []byte) int32 {
	n := len(o.cached)
	copy(p, o.cached)
	if n < 10_000 {
		o.cached += strings.Repeat("+", 1500)
	}
	return int32(n)
}

func (o *odd) HoverRange(startLine, startCharacter, endLine, endCharacter uint32) {
	o.ranges = []uint32{startLine, startCharacter, endLine, endCharacter}
}

func TestAnOddHost(t *testing.T) {
	host := &odd{cached: strings.Repeat("-", 1500)}
	hostcall.Serve(host, func() {
		source, err := wasmsdk.Source()
		require.NoError(t, err)
		require.Equal(t, "0123456789", source)

		value, found := wasmsdk.CacheGet("key")
		require.True(t, found)
		require.Equal(t, host.cached, string(value))

		_, err = wasmsdk.Open("gone")
		require.EqualError(t, err, "file_open gone: not there")
	})
}

func TestLocationsGoInBatches(t *testing.T) {
	host := &odd{}
	hostcall.Serve(host, func() {
		status := wasmsdk.Navigate(func(wasmsdk.Query) ([]wasmsdk.Location, error) {
			return make([]wasmsdk.Location, 2*4096+1), nil
		}, 0, 0)
		require.Zero(t, status)
	})
	require.Equal(t, []int{4096, 4096, 1}, host.records)
}

// A coordinate that does not fit into 32 bits is not cut to one that does.
func TestWrongRangesStayWrong(t *testing.T) {
	host := &odd{}
	hostcall.Serve(host, func() {
		wasmsdk.Hover(func(wasmsdk.Query) (*seam.Hover, error) {
			return &seam.Hover{Contents: "a", Range: &seam.Range{
				Start: seam.Position{Line: -1, Character: 0},
				End:   seam.Position{Line: math.MaxInt, Character: seam.MaxCoordinate},
			}}, nil
		}, 0, 0)
	})
	require.Equal(t, []uint32{1<<32 - 1, 0, 1<<32 - 1, 1<<31 - 1}, host.ranges)
}

// Outside of a call there is nobody to ask, and the panic says how to get there.
func TestNoHost(t *testing.T) {
	require.PanicsWithValue(t, "wasmsdk: there is no host outside of a module: in a test, ask through wasmsdktest.Host",
		func() { wasmsdk.Incomplete() })
}

func BenchmarkNavigate10000(b *testing.B) {
	locations := make([]wasmsdk.Location, 10_000)
	for i := range locations {
		locations[i].Path = "folder/" + strings.Repeat("x", i%50)
	}
	host := &odd{}
	hostcall.Serve(host, func() {
		for b.Loop() {
			host.records = host.records[:0]
			wasmsdk.Navigate(func(wasmsdk.Query) ([]wasmsdk.Location, error) { return locations, nil }, 0, 0)
		}
	})
}
