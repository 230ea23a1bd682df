package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo-terminal of that many columns: what a program writes to the
// terminal is read from the screen.
func openTerminal(t *testing.T, columns uint16) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return screen, terminal
}

// watch runs a query whose stderr is a terminal, and returns what was written there.
func watch(t *testing.T, dir string, columns uint16, env ...string) string {
	t.Helper()
	screen, terminal := openTerminal(t, columns)
	cmd := hoverCommand(t, dir)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = terminal
	var answer strings.Builder
	cmd.Stdout = &answer
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	written, _ := io.ReadAll(screen) // ends with an error when nobody has the terminal open
	require.NoError(t, cmd.Wait())
	require.Equal(t, "fake\n", answer.String())
	return string(written)
}

// line is what is left on the line of a terminal after text was written to it.
func line(text string) string {
	var row []rune
	at := 0
	for _, r := range text {
		if r == '\r' {
			at = 0
			continue
		}
		if at == len(row) {
			row = append(row, ' ')
		}
		row[at] = r
		at++
	}
	return strings.TrimRight(string(row), " ")
}

const busyServer = `{"On": {
	"initialize": [{"DelayMS": 700}],
	"initialized": [{"Notify": [{"Method": "$/progress", "Params": {"token": "t", "value": {"kind": "begin", "title": "Loading\u001b[2J packages", "percentage": 40, "message": "of the workspace"}}}]}],
	"textDocument/hover": [{"DelayMS": 1500}]}}`

func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	dir := workspaceWith(t, busyServer, "")
	written := watch(t, dir, 80)
	require.Contains(t, written, "starting fake…")
	require.Contains(t, written, `fake: Loading\x1b[2J packages: 40% of the workspace…`)
	require.NotContains(t, written, "\n", "it stays on one line")
	require.NotContains(t, written, "\x1b")
	require.Empty(t, line(written), "the line is gone at the end")
}

func TestProgressFitsIntoTheTerminal(t *testing.T) {
	t.Parallel()
	written := watch(t, workspaceWith(t, busyServer, ""), 20)
	for part := range strings.SplitSeq(written, "\r") {
		require.Less(t, len([]rune(part)), 20, part)
	}
	require.Contains(t, written, "fake: Loading\\x1b[…")
}

func TestNoProgressOnADumbTerminal(t *testing.T) {
	t.Parallel()
	require.Empty(t, watch(t, workspaceWith(t, busyServer, ""), 80, "TERM=dumb"))
}
