package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
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

With --start each is started in the workspace, asked all four operations at the first identifier
of the first of its files there, and ended again. Shown is how long each answer took, what was in
it, and whether it is complete. An operation that is not supported is no fault, nor is an empty
answer. Of each fault it says what it means and what to do (docs/troubleshooting.md has them all).

  --start           also start each server and module in the workspace, and ask it
  -w, --workspace   the folder to start them in; default: the current folder
  -c, --config      config file; default: $NAVSEAM_CONFIG, then the one in your config folder
  --json            print one line of JSON: each entry has "ok", "error" (why it cannot be used or
                    did not start), "startMs", "asked" {file, position, symbol} or "notAsked" (why),
                    "answers" [{operation, outcome, tookMs, locations or hoverBytes, completeness,
                    error}] and "faults" [{fault, code, reason, limit, meaning, remedy}]; an outcome
                    is answered, empty, unsupported, refused or failed. A server that was started has
                    "observed" [{root, project, watch, queue, starts, failuresInARow, circuitOpenMs,
                    lastError, processes: [{state, busy, pid, startMs, progress, documentsOpen,
                    changedFilesTold, changedFilesToTouch, readySignalMissed}]}]
` + traceUsage + `

Exit status: 0 all is well; 1 a server or module did not start or did not answer; 2 wrong arguments
or a configuration that cannot be used.`

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
	c.logLines(slog.LevelWarn)
	return c.withHost(ctx, config, func(h *host.Host) int {
		return c.checkEntries(ctx, h, config, path, request)
	})
}

// checker looks at the entries of a configuration, one after the other.
type checker struct {
	*console
	host    *host.Host
	config  host.Config
	request checkRequest
	report  checkReport
	status  int
	failed  []error // of printing

	survey *survey // of the workspace, once there is somebody to ask
}

// checkEntries prints the report of all servers and modules, each part as soon as it is
// known, and returns the exit status.
func (c *console) checkEntries(ctx context.Context, h *host.Host, config host.Config, path string, request checkRequest) int {
	k := &checker{console: c, host: h, config: config, request: request, report: checkReport{
		Config:  path,
		Changed: changedAtTop(config),
		Servers: []serverReport{},
		Modules: []moduleReport{},
	}}
	if request.start {
		k.report.Workspace = request.workspace
	}
	k.tell(k.report.head())
	for _, provider := range h.Status().Providers {
		k.entry(ctx, provider)
	}
	if request.start {
		k.tell(k.report.summary())
	}
	if c.json {
		k.failed = append(k.failed, c.printJSON(k.report))
	}
	return max(k.status, c.report(errors.Join(k.failed...)))
}

// tell prints for people only.
func (k *checker) tell(text string) {
	if !k.json && text != "" {
		k.failed = append(k.failed, k.print(text))
	}
}

// entry checks one entry; where it is started, it is asked too.
func (k *checker) entry(ctx context.Context, provider host.ProviderStatus) {
	e := entryReport{ID: provider.ID, OK: provider.Err == nil, Err: seam.AsError(provider.Err)}
	at, status := configured, statusUsage
	if e.OK && k.request.start {
		at, status = started, statusFailed
		k.start(ctx, &e)
	}
	stored, text := k.report.add(e, k.host.Status(), k.config)
	k.tell(text)
	switch {
	case !stored.OK:
		k.fault(stored, provider, at, stored.Err)
	case k.request.start:
		k.ask(ctx, stored, provider)
		k.observe(provider)
	}
	if !stored.OK {
		k.status = max(k.status, status)
	}
}

// start starts an entry, and notes how long that took or why it failed.
func (k *checker) start(ctx context.Context, e *entryReport) {
	shown := k.showProgress(k.host)
	began := time.Now()
	err := k.host.Start(ctx, e.ID, k.request.workspace)
	shown.end()
	if err != nil {
		e.OK, e.Err = false, seam.AsError(err)
		return
	}
	e.StartMs = inMs(time.Since(began))
}

// ask asks an entry the four operations, at a place that is found for it.
func (k *checker) ask(ctx context.Context, e *entryReport, provider host.ProviderStatus) {
	at, why := k.probe(ctx, e.ID)
	if why != "" {
		e.NotAsked = why
		k.tell(reportLine("asked", "nothing, only started: "+why))
		return
	}
	e.Asked = &at
	k.tell(reportLine("asked", at.String()))
	k.askAll(ctx, k.host, k.request.workspace, at, func(a answerReport) {
		e.Answers = append(e.Answers, a)
		k.tell(reportLine("", a.String()))
	})
	faults := failures(e.Answers)
	if late := lateSignal(e.ID, k.host.Status()); late != nil {
		faults = append(faults, late)
	}
	for _, fault := range faults {
		k.fault(e, provider, asked, fault)
	}
	e.OK = len(faults) == 0 && ctx.Err() == nil
}

// observe notes what the last server is doing now.
func (k *checker) observe(provider host.ProviderStatus) {
	for _, now := range k.host.Status().Providers {
		if now.ID != provider.ID || now.Kind != host.KindNative {
			continue
		}
		observed := observedReportsOf(now.Server)
		k.report.Servers[len(k.report.Servers)-1].Observed = observed
		for _, one := range observed {
			k.tell(one.text())
		}
	}
}

func (k *checker) probe(ctx context.Context, id string) (at probe, why string) {
	if k.survey == nil {
		seen, err := surveyOf(ctx, k.request.workspace)
		if err != nil {
			return probe{}, "the workspace cannot be looked through: " + err.Error()
		}
		k.survey = &seen
	}
	return k.survey.find(ctx, id, k.host.Owners(), k.request.workspace, k.config)
}

// fault says what a failure means and what to do, once for all that mean the same.
func (k *checker) fault(e *entryReport, provider host.ProviderStatus, at phase, err *seam.Error) {
	told := diagnose(provider.Kind, at, err).advice(e.ID, k.config.Servers[e.ID].Command, err)
	same := func(other advice) bool { return other.Fault == told.Fault }
	if err.Code == seam.CodeCancelled || slices.ContainsFunc(e.Faults, same) {
		return
	}
	e.Faults = append(e.Faults, told)
	k.tell(reportLine("fault", told.Fault+": "+told.Meaning) + "\n" + reportLine("remedy", told.Remedy))
}
