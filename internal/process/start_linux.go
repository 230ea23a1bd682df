package process

import "os"

func spawn(c Command, stdio [3]*os.File) (*server, family, error) {
	if len(c.Supervisor) == 0 {
		return spawnDirect(c, stdio)
	}
	return spawnSupervised(c, stdio)
}
