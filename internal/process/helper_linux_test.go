package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/navseam/navseam/internal/process"
)

// spawnHelper starts a helper and says its number. The kind is made of words:
// "session" gives it one of its own, "stubborn" lets it ignore SIGTERM,
// "holding" leaves it the server's pipes, "orphan" puts a parent between it
// and the server that ends at once.
func spawnHelper(kind string) {
	steps := []string{"say:ready", "sleep"}
	if strings.Contains(kind, "stubborn") {
		steps = append([]string{"ignore-term"}, steps...)
	}
	if rest, ok := strings.CutPrefix(kind, "orphan+"); ok {
		steps = []string{"spawn:" + rest}
	}
	helper := exec.Command(os.Args[0], helperArgs(steps...)...)
	ready, _ := helper.StdoutPipe()
	if strings.Contains(kind, "holding") {
		helper.Stderr = os.Stderr
		helper.ExtraFiles = []*os.File{os.Stdout}
	}
	if strings.Contains(kind, "session") && !strings.HasPrefix(kind, "orphan+") {
		helper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	if err := helper.Start(); err != nil {
		fmt.Println(err)
		return
	}
	line, _ := bufio.NewReader(ready).ReadString('\n')
	if line == "ready\n" {
		line = fmt.Sprintln(helper.Process.Pid)
	} else {
		helper.Wait() // the parent between
	}
	fmt.Print(line)
}

// helperHost starts a server, says its number and what it says, and waits for
// its own end. The first argument is the mode.
func helperHost(args []string) int {
	c := process.Command{
		Path:      os.Args[0],
		Args:      helperArgs(args[1:]...),
		Env:       os.Environ(),
		Dir:       "/",
		KillGrace: time.Minute,
	}
	if args[0] == "supervised" {
		c.Supervisor = []string{os.Args[0], "supervise"}
	}
	server, err := process.Start(c)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(server.PID())
	lines := bufio.NewScanner(server.Stdout())
	for lines.Scan() {
		fmt.Println(lines.Text())
	}
	return 0
}
