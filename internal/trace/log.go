package trace

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/navseam/navseam/internal/jsonline"
)

const (
	maxFileBytes   = 64 << 20 // of the file, with what was in it before
	maxQueued      = 4096     // lines that wait to be written
	maxQueuedBytes = 16 << 20 // of the messages in them
	flushBytes     = 64 << 10
	closeWait      = 5 * time.Second
)

// Log is a trace that is being written. Its methods may be called from any goroutine, those
// that a nil Log can have do nothing on one, and none of them waits but Close.
type Log struct {
	hidden  hidden
	events  chan event
	queued  atomic.Int64 // bytes
	dropped atomic.Int64
	wires   atomic.Int64

	end     sync.Once
	closing chan struct{}
	closed  chan struct{} // the file is closed, and err is set
	err     error

	// The rest belongs to the goroutine that writes.
	file  io.WriteCloser
	size  int64
	limit int64
	full  bool
	lines bytes.Buffer
}

// event is what happened. What becomes of it is made where it is written.
type event struct {
	cost int64
	line func() any
}

func newLog(file io.WriteCloser, size, limit int64) *Log {
	l := &Log{
		events:  make(chan event, maxQueued),
		closing: make(chan struct{}),
		closed:  make(chan struct{}),
		file:    file,
		size:    size,
		limit:   limit,
	}
	go l.write()
	return l
}

// add passes on what happened, or counts it when there is no room.
func (l *Log) add(cost int, line func() any) {
	select {
	case <-l.closing:
		return
	default:
	}
	e := event{int64(cost), line}
	if l.queued.Add(e.cost) > maxQueuedBytes {
		l.queued.Add(-e.cost)
		l.dropped.Add(1)
		return
	}
	select {
	case l.events <- e:
	default:
		l.queued.Add(-e.cost)
		l.dropped.Add(1)
	}
}

// Close writes what is left, for a few seconds at most, and closes the file. The error says
// what is missing from it.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.end.Do(func() { close(l.closing) })
	late := time.NewTimer(closeWait)
	defer late.Stop()
	select {
	case <-l.closed:
		return l.err
	case <-late.C:
		return errors.New("the trace was not written to its end: its disk is too slow")
	}
}

// notice is a line about the trace itself.
type notice struct {
	Time  string `json:"time"`
	Kind  string `json:"kind"` // begin, dropped, full, end
	Lines int64  `json:"lines,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000000Z") }

func now() string { return stamp(time.Now()) }

// write is the one goroutine that touches the file.
func (l *Log) write() {
	defer close(l.closed)
	l.line(notice{Time: now(), Kind: "begin"})
	for {
		select {
		case e := <-l.events:
			l.take(e)
			if len(l.events) == 0 {
				l.flush()
			}
		case <-l.closing:
			l.finish()
			return
		}
	}
}

func (l *Log) finish() {
	for len(l.events) > 0 { // nobody else takes
		l.take(<-l.events)
	}
	l.tellDropped()
	l.line(notice{Time: now(), Kind: "end"})
	l.flush()
	l.err = errors.Join(l.err, l.file.Close())
}

func (l *Log) take(e event) {
	l.tellDropped()
	if !l.full && l.err == nil {
		l.line(e.line())
	}
	l.queued.Add(-e.cost)
}

func (l *Log) tellDropped() {
	if n := l.dropped.Swap(0); n > 0 {
		l.line(notice{Time: now(), Kind: "dropped", Lines: n})
	}
}

// line keeps room for the last one, which says that there is no more.
func (l *Log) line(value any) {
	const lastLine = 256
	if l.full {
		return
	}
	text, err := jsonline.Encode(value)
	if err != nil { // not reached: what is encoded was decoded before
		return
	}
	if l.size+int64(len(text))+1 > l.limit-lastLine {
		l.full = true
		text, _ = jsonline.Encode(notice{Time: now(), Kind: "full", Bytes: l.limit})
	}
	l.lines.WriteString(text)
	l.lines.WriteByte('\n')
	l.size += int64(len(text)) + 1
	if l.lines.Len() >= flushBytes {
		l.flush()
	}
}

// flush writes whole lines, so that others may write to the same file.
func (l *Log) flush() {
	if l.err == nil && l.lines.Len() > 0 {
		_, l.err = l.file.Write(l.lines.Bytes())
	}
	l.lines.Reset()
}
