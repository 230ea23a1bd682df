package sandbox

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/navseam/navseam/abi"
)

// How much a module may say: lines beyond are counted and dropped.
const (
	maxLineBytes   = 4096
	maxHeadBytes   = 256  // of the beginning of standard error, for messages
	maxTailBytes   = 1024 // of its end
	burstLines     = 100
	linesPerSecond = 20
)

// output is what an instance prints and logs.
type output struct {
	lines   [2][]byte // begun lines of stdout and stderr
	head    []byte    // of stderr since the last flush: a runtime that gives up says why at first
	tail    []byte    // of stderr
	errors  int       // bytes of stderr since the last flush
	left    float64   // lines that may be said at once
	filled  time.Time
	dropped int
}

// write takes bytes of stdout (1) or stderr (2) and logs the lines in them.
func (o *output) write(g *guest, stream uint32, b []byte) {
	line := &o.lines[stream-1]
	if stream == 2 {
		o.keep(b)
	}
	for len(b) > 0 {
		end := bytes.IndexByte(b[:min(len(b), maxLineBytes)], '\n')
		if end < 0 {
			room := max(maxLineBytes-len(*line), 0)
			*line = append(*line, b[:min(room, len(b))]...)
			b = b[min(len(b), maxLineBytes):]
			continue
		}
		*line = append(*line, b[:end]...)
		o.say(g, slog.LevelInfo, string(*line))
		*line = (*line)[:0]
		b = b[end+1:]
	}
}

// keep keeps the beginning and the end of standard error.
func (o *output) keep(b []byte) {
	o.errors += len(b)
	o.head = append(o.head, b[:min(len(b), maxHeadBytes-len(o.head))]...)
	if len(b) >= maxTailBytes {
		o.tail = append(o.tail[:0], b[len(b)-maxTailBytes:]...)
		return
	}
	o.tail = append(o.tail, b...)
	if over := len(o.tail) - maxTailBytes; over > 0 {
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
}

// said is standard error on one line: its end, and when that is not all, how it began.
func (o *output) said() string {
	said := onLine(o.tail)
	if o.errors > maxTailBytes {
		said = onLine(o.head) + " … " + said
	}
	return said
}

func onLine(b []byte) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "�")), " ")
}

// flush logs lines that no line break ended, and how many were dropped.
func (o *output) flush(g *guest) {
	for i, line := range o.lines {
		if len(line) > 0 {
			o.say(g, slog.LevelInfo, string(line))
			o.lines[i] = line[:0]
		}
	}
	o.head, o.errors = o.head[:0], 0
	if o.dropped > 0 && o.mayspeak() {
		g.space.provider.log.Warn("the module says too much: lines were dropped", "dropped", o.dropped)
		o.dropped = 0
	}
}

func (o *output) say(g *guest, level slog.Level, line string) {
	if line == "" {
		return
	}
	if !o.mayspeak() {
		o.dropped++
		return
	}
	g.space.provider.log.Log(context.Background(), level, shorten(strings.ToValidUTF8(line, "�"), maxLineBytes))
}

// mayspeak takes a line from what may be said now.
func (o *output) mayspeak() bool {
	now := time.Now()
	if o.filled.IsZero() {
		o.left = burstLines
	}
	o.left = min(burstLines, o.left+now.Sub(o.filled).Seconds()*linesPerSecond)
	o.filled = now
	if o.left < 1 {
		return false
	}
	o.left--
	return true
}

// logLine is the import "log".
func logLine(g *guest, m memory, stack []uint64) error {
	b, err := m.utf8("log", stack[1], stack[2])
	if err != nil {
		return err
	}
	g.output.say(g, logLevel(uint32(stack[0])), string(b[:min(len(b), maxLineBytes+1)]))
	return nil
}

func logLevel(level uint32) slog.Level {
	switch level {
	case abi.LogDebug:
		return slog.LevelDebug
	case abi.LogWarn:
		return slog.LevelWarn
	case abi.LogError:
		return slog.LevelError
	default:
		return slog.LevelInfo
	}
}
