package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/navseam/navseam/host"
)

const checkUsage = `navseam check [flags]

Reads the configuration, finds the program of every server, and shows what each will be: its
command, its files, the environment variables that it does not get, and what differs from
the defaults. Every server has to be in order, also where the configuration is lenient.

  --start           also start each server in the workspace, and end it again
  -w, --workspace   the folder to start them in; default: the current folder
  -c, --config      config file; default: $NAVSEAM_CONFIG, then the one in your config folder
  --json            print one line of JSON

Exit status: 0 all is well; 1 a server did not start; 2 wrong arguments or a configuration
that cannot be used.`

// checkRequest is what the arguments of a check mean.
type checkRequest struct {
	start     bool
	workspace string
	config    string
}

func check(ctx context.Context, c *console, args []string) int {
	var request checkRequest
	o := newOptions("check")
	o.BoolVar(&c.json, "json", false, "")
	o.BoolVar(&request.start, "start", false, "")
	o.text(&request.workspace, "w", "workspace")
	o.text(&request.config, "c", "config")
	if err := o.none(o.parse(c, args)); err != nil {
		return c.report(err)
	}
	config, path, err := c.loadConfig(request.config)
	if err != nil {
		return c.report(err)
	}
	if request.workspace, err = filepath.Abs(request.workspace); err != nil {
		return c.report(err)
	}
	config.Lenient = true // so that every server is shown, and not only the first that fails
	return c.withHost(ctx, config, func(h *host.Host) int {
		return c.checkServers(ctx, h, config, path, request)
	})
}

// checkServers prints the report of all servers, each as soon as it is known, and returns
// the exit status.
func (c *console) checkServers(ctx context.Context, h *host.Host, config host.Config, path string, request checkRequest) int {
	report := checkReport{Config: path, Changed: changedSettings("limits.", config.Limits, host.DefaultConfig().Limits)}
	if request.start {
		report.Workspace = request.workspace
	}
	status := statusAnswered
	printing := []error{c.printText(report.head())}
	for _, provider := range h.Status().Providers {
		server := reportOf(provider, config.Servers[provider.ID])
		if !server.OK {
			status = statusUsage
		} else if request.start {
			c.start(ctx, h, &server, request.workspace)
		}
		if !server.OK {
			status = max(status, statusFailed)
		}
		report.Servers = append(report.Servers, server)
		printing = append(printing, c.printText(server.text()))
	}
	if c.json {
		printing = append(printing, c.printJSON(report))
	}
	return max(status, c.report(errors.Join(printing...)))
}

// printText prints for people only.
func (c *console) printText(text string) error {
	if c.json {
		return nil
	}
	return c.print(text)
}

// start starts a server, and notes how long that took or why it failed.
func (c *console) start(ctx context.Context, h *host.Host, server *serverReport, workspace string) {
	shown := c.showProgress(h)
	began := time.Now()
	err := h.Start(ctx, server.ID, workspace)
	shown.end()
	if err != nil {
		server.failed(err)
		return
	}
	server.started(time.Since(began))
}
