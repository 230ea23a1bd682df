//go:build !linux

package process

import "os/exec"

func reap(cmd *exec.Cmd, s *server) {
	cmd.Wait()
	s.status = cmd.ProcessState.String()
	close(s.done)
}
