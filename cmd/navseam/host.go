package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/navseam/navseam/host"
)

// closeLimit bounds the end of all providers. What is left then ends without us.
const closeLimit = 10 * time.Second

// withHost opens a host, does the work, and closes the host again. The work has reported
// its own failures, so that nobody waits for the end of a server to read an answer.
func (c *console) withHost(ctx context.Context, config host.Config, work func(*host.Host) int) int {
	defer c.closeTrace()
	h, err := c.openHost(ctx, config)
	if err != nil {
		_ = c.report(err)
		return statusUsage // whatever its code: the configuration cannot be used
	}
	defer c.closeHost(ctx, h)
	return work(h)
}

func (c *console) closeHost(ctx context.Context, h *host.Host) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	if err := h.Close(closing); err != nil {
		for _, failure := range flatten(err) {
			c.complain("navseam: not everything was ended cleanly: " + describe(failure))
		}
	}
}

// openHost opens a host with the trace of the command, if one is wanted. Whoever calls it calls
// closeHost and then closeTrace.
func (c *console) openHost(ctx context.Context, config host.Config) (*host.Host, error) {
	if err := c.tracing.open(); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program does not find itself, and so cannot supervise servers: %w", err)
	}
	return host.Open(ctx, config, host.Options{Supervisor: []string{self, superviseName}, Log: c.log, Trace: c.tracing.log})
}
