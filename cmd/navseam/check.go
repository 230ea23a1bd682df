package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

const checkUsage = `navseam check [flags]

Reads the configuration, finds the program of every server, compiles every module, and shows
what each will be. Of a server: its command, its files, and the environment variables that it
does not get. Of a module, without running it: its file and hash, what it answers, what it asks
for and is granted, its engine and its limits. Of both: what differs from the defaults. Every
entry has to be in order, also where the configuration is lenient.

  --start           also start each server and module in the workspace, and end it again
  -w, --workspace   the folder to start them in; default: the current folder
  -c, --config      config file; default: $NAVSEAM_CONFIG, then the one in your config folder
  --json            print one line of JSON

Exit status: 0 all is well; 1 a server or module did not start; 2 wrong arguments or a configuration
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
	o.trace(c)
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
	config.Lenient = true // so that every entry is shown, and not only the first that fails
	return c.withHost(ctx, config, func(h *host.Host) int {
		return c.checkEntries(ctx, h, config, path, request)
	})
}

// checkEntries prints the report of all servers and modules, each as soon as it is known,
// and returns the exit status.
func (c *console) checkEntries(ctx context.Context, h *host.Host, config host.Config, path string, request checkRequest) int {
	report := checkReport{
		Config:  path,
		Changed: changedSettings("limits.", config.Limits, host.DefaultConfig().Limits),
		Servers: []serverReport{},
		Modules: []moduleReport{},
	}
	if request.start {
		report.Workspace = request.workspace
	}
	status := statusAnswered
	printing := []error{c.printText(report.head())}
	for _, provider := range h.Status().Providers {
		entry, verdict := c.checkEntry(ctx, h, provider, request)
		status = max(status, verdict)
		printing = append(printing, c.printText(report.add(entry, h.Status(), config)))
	}
	if c.json {
		printing = append(printing, c.printJSON(report))
	}
	return max(status, c.report(errors.Join(printing...)))
}

// checkEntry starts an entry where that is asked for, and returns the exit status that it
// gives rise to.
func (c *console) checkEntry(ctx context.Context, h *host.Host, provider host.ProviderStatus, request checkRequest) (entryReport, int) {
	entry := entryReport{ID: provider.ID, OK: provider.Err == nil, Err: seam.AsError(provider.Err)}
	if !entry.OK {
		return entry, statusUsage
	}
	if request.start {
		c.start(ctx, h, &entry, request.workspace)
	}
	if !entry.OK {
		return entry, statusFailed
	}
	return entry, statusAnswered
}

// printText prints for people only.
func (c *console) printText(text string) error {
	if c.json {
		return nil
	}
	return c.print(text)
}

// start starts an entry, and notes how long that took or why it failed.
func (c *console) start(ctx context.Context, h *host.Host, entry *entryReport, workspace string) {
	shown := c.showProgress(h)
	began := time.Now()
	err := h.Start(ctx, entry.ID, workspace)
	shown.end()
	if err != nil {
		entry.OK, entry.Err = false, seam.AsError(err)
		return
	}
	entry.StartMs = inMs(time.Since(began))
}
