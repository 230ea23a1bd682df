package sandbox

import (
	"context"
	"encoding/binary"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/abi"
)

// calling returns a guest in the middle of a call that may take a minute.
func calling(t *testing.T) *guest {
	p := &Provider{log: slog.New(slog.DiscardHandler), born: time.Now(), settings: "{}"}
	g := &guest{space: &space{provider: p}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	g.enter(ctx, abi.InHover, time.Now().Add(time.Minute), &query{})
	return g
}

// served returns a function of WASI as guests have it.
func served(t testing.TB, name string) func(g *guest, m memory, args ...uint64) (uint64, error) {
	for _, f := range hostFunctions() {
		if f.Module == abi.WASI && f.Name == name {
			return func(g *guest, m memory, args ...uint64) (uint64, error) {
				stack := make([]uint64, max(len(f.Signature.Params), 1))
				copy(stack, args)
				err := f.Call(g, m, stack)
				return stack[0], err
			}
		}
	}
	require.Fail(t, "no such function: "+name)
	return nil
}

func TestEveryFunctionOfWASIIsServed(t *testing.T) {
	names := map[string]bool{}
	for _, f := range abi.WASIFunctions() {
		names[f.Name] = true
	}
	for name := range wasi() {
		require.True(t, names[name], "%s is no function of preview 1", name)
	}
	require.Len(t, names, 46)
}

// What there is no descriptor for is EBADF, and what is not served ENOSYS.
func TestDescriptors(t *testing.T) {
	const badf, nosys = 8, 52
	tests := []struct {
		function string
		args     []uint64
		want     uint64
	}{
		{"fd_prestat_get", []uint64{3, 0}, badf},
		{"fd_prestat_get", []uint64{0, 0}, badf},
		{"fd_fdstat_get", []uint64{3, 0}, badf},
		{"fd_write", []uint64{0, 0, 0, 0}, badf},
		{"fd_write", []uint64{7, 0, 0, 0}, badf},
		{"fd_read", []uint64{1, 0, 0, 0}, badf},
		{"fd_close", []uint64{4}, badf},
		{"fd_close", []uint64{2}, 0},
		{"fd_close", []uint64{5}, badf},
		{"fd_close", []uint64{1}, 0},
		{"fd_seek", []uint64{1, 0, 0, 0}, nosys},
		{"fd_seek", []uint64{9, 0, 0, 0}, badf},
		{"path_open", []uint64{3, 0, 0, 0, 0, 0, 0, 0, 0}, badf},
		{"sock_accept", []uint64{3, 0, 0}, badf},
		{"proc_raise", []uint64{1}, nosys},
	}
	for _, test := range tests {
		got, err := served(t, test.function)(calling(t), make(memory, 64), test.args...)
		require.NoError(t, err)
		require.Equal(t, test.want, got, "%s%v", test.function, test.args)
	}
}

func TestDescriptionOfTheStandardOnes(t *testing.T) {
	for fd, rights := range map[uint64]uint64{0: 1 << 1, 1: 1 << 6, 2: 1 << 6} {
		m := memory(make([]byte, 32))
		got, err := served(t, "fd_fdstat_get")(calling(t), m, fd, 8)
		require.NoError(t, err)
		require.Zero(t, got)
		require.Equal(t, byte(2), m[8], "a character device")
		require.Equal(t, rights, binary.LittleEndian.Uint64(m[16:]))
	}
}

func TestClocks(t *testing.T) {
	const inval = 28
	m := memory(make([]byte, 8))
	got, err := served(t, "clock_time_get")(calling(t), m, 0, 0, 0)
	require.NoError(t, err)
	require.Zero(t, got)
	require.WithinDuration(t, time.Now(), time.Unix(0, int64(binary.LittleEndian.Uint64(m))), time.Minute)
	g := calling(t)
	_, err = served(t, "clock_time_get")(g, m, 1, 0, 0)
	require.NoError(t, err)
	first := binary.LittleEndian.Uint64(m)
	require.Positive(t, first)
	time.Sleep(time.Millisecond)
	_, err = served(t, "clock_time_get")(g, m, 1, 0, 0)
	require.NoError(t, err)
	require.Greater(t, binary.LittleEndian.Uint64(m), first, "a fake clock starves the collector of a Go guest")
	for _, clock := range []uint64{2, 3, 99} {
		got, err = served(t, "clock_time_get")(g, m, clock, 0, 0)
		require.NoError(t, err)
		require.Equal(t, uint64(inval), got)
	}
}

// pollOn gives a memory with one subscription at 0, for what comes of it at 64 and 128.
func pollOn(tag byte, clock uint32, timeout uint64, flags uint16) memory {
	m := memory(make([]byte, 256))
	binary.LittleEndian.PutUint64(m, 0xfeed)
	m[8] = tag
	binary.LittleEndian.PutUint32(m[16:], clock)
	binary.LittleEndian.PutUint64(m[24:], timeout)
	binary.LittleEndian.PutUint16(m[40:], flags)
	return m
}

func TestPoll(t *testing.T) {
	const inval, notsup, timedOut = 28, 58, 73
	past := uint64(time.Now().Add(-time.Hour).UnixNano())
	tests := map[string]struct {
		m     memory
		event uint64 // its error
	}{
		"a short sleep":             {pollOn(0, 1, 1000, 0), 0},
		"no sleep":                  {pollOn(0, 0, 0, 0), 0},
		"until a time that is past": {pollOn(0, 0, past, 1), 0},
		"a clock that is none":      {pollOn(0, 7, 0, 0), inval},
		"something else":            {pollOn(1, 0, 0, 0), notsup},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := served(t, "poll_oneoff")(calling(t), test.m, 0, 64, 1, 128)
			require.NoError(t, err)
			require.Zero(t, got)
			require.Equal(t, uint32(1), binary.LittleEndian.Uint32(test.m[128:]))
			require.Equal(t, uint64(0xfeed), binary.LittleEndian.Uint64(test.m[64:]), "the user data")
			require.Equal(t, test.event, uint64(binary.LittleEndian.Uint16(test.m[72:])))
			require.Equal(t, test.m[8], test.m[74], "the type of the event")
		})
	}
	t.Run("longer than the call may take", func(t *testing.T) {
		g := calling(t)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		g.enter(ctx, abi.InHover, time.Now().Add(100*time.Millisecond), &query{})
		m := pollOn(0, 1, 1<<63, 0)
		got, err := served(t, "poll_oneoff")(g, m, 0, 64, 1, 128)
		require.NoError(t, err)
		require.Zero(t, got, "an error here makes a Go guest throw")
		require.Equal(t, uint16(timedOut), binary.LittleEndian.Uint16(m[72:]))
		require.NoError(t, ctx.Err(), "there is time left to say so")
	})
	t.Run("of nothing", func(t *testing.T) {
		got, err := served(t, "poll_oneoff")(calling(t), make(memory, 256), 0, 64, 0, 128)
		require.NoError(t, err)
		require.Equal(t, uint64(inval), got)
	})
}

// A vector that is longer than what is taken at once is taken in parts, as write(2) may.
func TestWritesAreBounded(t *testing.T) {
	m := memory(make([]byte, 1<<20))
	binary.LittleEndian.PutUint32(m[0:], 64)
	binary.LittleEndian.PutUint32(m[4:], 1<<20-64)
	got, err := served(t, "fd_write")(calling(t), m, 1, 0, 1, 32)
	require.NoError(t, err)
	require.Zero(t, got)
	require.Equal(t, uint32(maxWriteBytes), binary.LittleEndian.Uint32(m[32:]))
}

func TestExit(t *testing.T) {
	_, err := served(t, "proc_exit")(calling(t), nil, 0)
	var left *exit
	require.ErrorAs(t, err, &left, "whatever the code")
}

// Whatever a guest passes, a host function returns, and touches nothing but its memory.
func FuzzHostFunctions(f *testing.F) {
	f.Add(uint8(0), uint64(0), uint64(0), uint64(0), uint64(0), uint64(1))
	f.Add(uint8(30), uint64(0xffffffff), uint64(0xffffffff), uint64(0xffffffff), uint64(0xffffffff), uint64(0))
	f.Add(uint8(7), uint64(65535), uint64(1), uint64(65536), uint64(2), uint64(65512))
	f.Add(uint8(11), uint64(1<<31), uint64(1<<31), uint64(1<<31-1), uint64(1<<32-24), uint64(3))
	functions := hostFunctions()
	const size = 1 << 16
	f.Fuzz(func(t *testing.T, index uint8, a, b, c, d, e uint64) {
		function := functions[int(index)%len(functions)]
		g := calling(t)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		phase := abi.InHover
		if e%2 == 0 {
			phase = abi.InNavigation
		}
		q := &query{read: true}
		q.source.Text = "type area\n"
		g.space.provider.config.Limits = Limits{Locations: 100, ResponseBytes: 10_000}
		g.space.cache = newStore(10_000)
		g.enter(ctx, phase, time.Now().Add(20*time.Millisecond), q)
		// The memory lies between guards: whoever writes beside it is seen.
		whole := make([]byte, size+2*64)
		for i := range whole {
			whole[i] = 0x5a
		}
		m := whole[64 : 64+size : 64+size]
		clear(m)
		stack := []uint64{a, b, c, d, e, a, b, c, d}
		err := function.Call(g, m, stack)
		g.leave()
		for i := range 64 {
			require.Equal(t, byte(0x5a), whole[i])
			require.Equal(t, byte(0x5a), whole[64+size+i])
		}
		if err == nil && len(function.Signature.Results) == 1 && function.Signature.Results[0] == abi.I32 {
			require.LessOrEqual(t, stack[0], uint64(1<<32-1), "%s: an i32", function.Name)
		}
		require.LessOrEqual(t, len(q.answer.items), 100)
	})
}
