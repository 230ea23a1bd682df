package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// memory is a file that may be slow or full.
type memory struct {
	bytes.Buffer
	gate   chan struct{} // when set, a write waits until it is closed
	broken error
	closed bool
}

func (m *memory) Write(p []byte) (int, error) {
	if m.gate != nil {
		<-m.gate
	}
	if m.broken != nil {
		return 0, m.broken
	}
	return m.Buffer.Write(p)
}

func (m *memory) Close() error { m.closed = true; return nil }

// lines reads what was written, each line as JSON.
func lines(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	require.True(t, text == "" || strings.HasSuffix(text, "\n"), "the last line is whole")
	for line := range strings.Lines(text) {
		var one map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &one), line)
		require.True(t, strings.HasPrefix(line, beginning), line)
		all = append(all, one)
	}
	return all
}

func kinds(all []map[string]any) (kinds []string) {
	for _, line := range all {
		kinds = append(kinds, line["kind"].(string))
	}
	return kinds
}

func TestLogHasABeginningAndAnEnd(t *testing.T) {
	file := &memory{}
	l := newLog(file, 0, maxFileBytes)
	w := l.Wire("fake", "/w")
	w.Message(true, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`), 58)
	require.NoError(t, l.Close())
	require.True(t, file.closed)
	require.Equal(t, []string{"begin", "request", "end"}, kinds(lines(t, file.String())))
	w.Message(true, []byte(`{}`), 2) // nobody writes it, and nothing breaks
	require.NoError(t, l.Close(), "again")
	require.Equal(t, []string{"begin", "request", "end"}, kinds(lines(t, file.String())))
}

// A disk that takes nothing holds nobody, and what is missing is told.
func TestLogOnASlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &memory{gate: make(chan struct{})}
		l := newLog(file, 0, maxFileBytes)
		w := l.Wire("fake", "/w")
		body := []byte(`{"method":"note"}`)
		w.Message(false, body, len(body))
		synctest.Wait() // it is being written
		for range maxQueued + 5 {
			w.Message(false, body, len(body))
		}
		close(file.gate)
		require.NoError(t, l.Close())
		all := lines(t, file.String())
		require.Len(t, all, 1+1+maxQueued+1+1)
		var told any
		for _, line := range all {
			if line["kind"] == "dropped" {
				require.Nil(t, told, "once")
				told = line["lines"]
			}
		}
		require.EqualValues(t, 5, told)
	})
}

func TestLogBoundsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &memory{gate: make(chan struct{})}
		l := newLog(file, 0, maxFileBytes)
		w := l.Wire("fake", "/w")
		small := []byte(`{"method":"note"}`)
		w.Message(false, small, len(small))
		synctest.Wait()
		large := []byte(`{"method":"large","params":"` + strings.Repeat("x", maxQueuedBytes/2) + `"}`)
		w.Message(false, large, len(large))
		w.Message(false, large, len(large)) // over the bound, and dropped
		w.Message(false, small, len(small)) // there is room for this one
		close(file.gate)
		require.NoError(t, l.Close())
		require.Equal(t, []string{"begin", "notification", "dropped", "notification", "notification", "end"}, kinds(lines(t, file.String())))
		require.Zero(t, l.queued.Load())
	})
}

// One that takes nothing for ever holds its owner for a few seconds.
func TestCloseOnADiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &memory{gate: make(chan struct{})}
		l := newLog(file, 0, maxFileBytes)
		require.ErrorContains(t, l.Close(), "too slow")
		close(file.gate)
		synctest.Wait()
		require.True(t, file.closed, "when it goes on, the file is closed all the same")
	})
}

func TestLogThatCannotBeWritten(t *testing.T) {
	broken := errors.New("no space")
	file := &memory{broken: broken}
	l := newLog(file, 0, maxFileBytes)
	w := l.Wire("fake", "/w")
	for range 3 {
		w.Message(false, []byte(`{"method":"note"}`), 17)
	}
	require.ErrorIs(t, l.Close(), broken)
	require.True(t, file.closed)
}

func TestLogIsBounded(t *testing.T) {
	const limit = 4096
	file := &memory{}
	l := newLog(file, 1000, limit) // there was something in it
	w := l.Wire("fake", "/w")
	for range 1000 {
		w.Message(false, []byte(`{"method":"note"}`), 17)
	}
	require.NoError(t, l.Close())
	all := lines(t, file.String())
	require.LessOrEqual(t, 1000+file.Len(), limit)
	require.Greater(t, 1000+file.Len(), limit-600, "the room is used")
	last := all[len(all)-1]
	require.Equal(t, "full", last["kind"], "and nothing follows")
	require.EqualValues(t, limit, last["bytes"])
}

func TestNoLog(t *testing.T) {
	var l *Log
	l.Hide("secret")
	require.Nil(t, l.Wire("fake", "/w"))
	require.NoError(t, l.Close())
	m := l.Module("toy", "/w")
	require.Nil(t, m)
	m.Operation("hover", 0, 0)
	m.Request("GET", "https://a.example/")
}
