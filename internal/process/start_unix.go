//go:build unix && !linux

package process

import (
	"os"
	"syscall"
	"time"
)

// group is a server and whoever stays in its process group.
type group struct{ server *server }

func spawn(c Command, stdio [3]*os.File) (*server, family, error) {
	cmd := command(c, argv(c), stdio)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	s := &server{pid: cmd.Process.Pid, done: make(chan struct{})}
	go reap(cmd, s)
	return s, &group{s}, nil
}

func (g *group) terminate() { syscall.Kill(-g.server.pid, syscall.SIGTERM) }
func (g *group) kill()      { syscall.Kill(-g.server.pid, syscall.SIGKILL) }
func (g *group) release()   {}

func (g *group) gone(within time.Duration, cut <-chan struct{}) bool {
	return poll(g.living, within, cut)
}

// living cannot see whom the group has, only that it has someone. A group of
// zombies refuses signals.
func (g *group) living() []int {
	if g.server.exited() && syscall.Kill(-g.server.pid, 0) != nil {
		return nil
	}
	return []int{g.server.pid}
}
