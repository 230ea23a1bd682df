//go:build unix

package process

import (
	"strconv"
	"syscall"
)

// statusText says what os.ProcessState says for the same status.
func statusText(status syscall.WaitStatus) string {
	if status.Exited() {
		return "exit status " + strconv.Itoa(status.ExitStatus())
	}
	text := "signal: " + status.Signal().String()
	if status.CoreDump() {
		text += " (core dumped)"
	}
	return text
}
