package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/tool"
)

// progress shows on a terminal what is being waited for: one line on stderr, written over
// and over, and gone at the end.
type progress struct {
	stop, stopped chan struct{}
}

// progressInterval is also how long an answer may take before anything is shown.
const progressInterval = 200 * time.Millisecond

// showProgress begins to show what a host is doing. Where nobody would see it, it does
// nothing. The caller ends it before it prints anything.
func (c *console) showProgress(h *host.Host) *progress {
	p := &progress{stop: make(chan struct{}), stopped: make(chan struct{})}
	terminal, ok := c.stderr.(*os.File)
	if !ok || c.getenv("TERM") == "dumb" || !isTerminal(terminal) {
		close(p.stopped)
		return p
	}
	go p.show(terminal, h)
	return p
}

// end clears the line.
func (p *progress) end() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) show(terminal *os.File, h *host.Host) {
	defer close(p.stopped)
	began := time.Now()
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	line := statusLine{terminal: terminal}
	defer line.write("")
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			line.write(waitingFor(h.Status(), time.Since(began)))
		}
	}
}

// statusLine is a line of a terminal that is written over. Blanks do that on any terminal.
type statusLine struct {
	terminal *os.File
	shown    int
}

func (l *statusLine) write(text string) {
	text = strings.Map(oneLine, tool.Escape(text))
	letters := []rune(text)
	if width := columns(l.terminal) - 1; len(letters) > width { // a full line would wrap
		letters = append(letters[:max(width-1, 0)], '…')
	}
	if len(letters) == 0 && l.shown == 0 {
		return
	}
	blanks := strings.Repeat(" ", max(l.shown-len(letters), 0))
	// When the terminal is gone there is nobody to show it to.
	_, _ = fmt.Fprint(l.terminal, "\r"+string(letters)+blanks+"\r"+string(letters))
	l.shown = len(letters)
}

func oneLine(r rune) rune {
	if r == '\n' || r == '\t' || r == '\r' {
		return ' '
	}
	return r
}

// usualColumns is the width of a terminal that does not tell its own.
const usualColumns = 80

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// waitingFor says what the servers of a host are doing, in their own words where they have
// any, and since when we wait.
func waitingFor(status host.Status, since time.Duration) string {
	var doing []string
	for _, provider := range status.Providers {
		for _, w := range provider.Server.Workspaces {
			if text := workspaceDoes(nameOf(provider.ID, w), w); text != "" {
				doing = append(doing, text)
			}
		}
	}
	if len(doing) == 0 {
		return ""
	}
	text := strings.Join(doing, "; ")
	if seconds := int(since.Seconds()); seconds > 0 {
		text += fmt.Sprintf(" (%d s)", seconds)
	}
	return text
}

// nameOf tells the servers of one provider apart.
func nameOf(id string, w stdio.WorkspaceStatus) string {
	if project, err := filepath.Rel(w.Root, w.Project); err == nil && project != "." {
		return id + " in " + filepath.ToSlash(project)
	}
	return id
}

func workspaceDoes(id string, w stdio.WorkspaceStatus) string {
	if w.Queue > 0 {
		return fmt.Sprintf("%s: in line behind %d", id, w.Queue-1+busy(w))
	}
	for _, p := range w.Processes {
		switch {
		case p.State == "waiting":
			return id + ": waiting for another server to end…"
		case p.State == "starting":
			return "starting " + id + "…"
		case p.Progress != "":
			return id + ": " + strings.TrimRight(p.Progress, ".…") + "…"
		case p.State == "indexing":
			return id + ": reading the workspace…"
		case p.State == "ready" && p.Busy:
			return id + ": looking for the answer…"
		}
	}
	return ""
}

func busy(w stdio.WorkspaceStatus) int {
	n := 0
	for _, p := range w.Processes {
		if p.Busy {
			n++
		}
	}
	return n
}
