package main

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

const moduleTestUsage = `navseam module test FILE [DOCUMENT...] [flags]

Loads a module under the default limits, and asks it all four operations at the start, in the
middle and at the end of each DOCUMENT. Without one it is asked about small texts in a folder
of their own: one is empty, others have CRLF line breaks or characters of two UTF-16 units.

Shows for each operation how it was answered, and every fault: a trap, a breach of the ABI,
an answer that is malformed, a limit that passed. That an operation is not supported, is not
available, or fails and says so is no fault. After three faults of an operation it is not
asked any more.

` + trialUsage + `
  -w, --workspace   the folder of the documents; default: the current folder
  --json            print one line of JSON, counted from zero
` + traceUsage + `

` + grantsUsage + `

Exit status: 0 no fault; 1 there were faults, the module was refused, or it did not load; 2
wrong arguments, a grant that is missing, or a file that cannot be read.

  navseam module test graphql.wasm schema.graphql`

// maxFaults of one operation are enough to know it.
const maxFaults = 3

func moduleTest(ctx context.Context, c *console, args []string) int {
	var t trial
	var root string
	o := newOptions("module test")
	o.BoolVar(&c.json, "json", false, "")
	o.text(&root, "w", "workspace")
	t.flags(o)
	o.trace(c)
	others, err := o.parse(c, args)
	switch {
	case err != nil:
		return c.report(err)
	case len(others) == 0:
		return c.report(usagef("give the module's FILE: see \"navseam help module test\""))
	case len(others) == 1 && root != "":
		return c.report(usagef("a workspace was given and no DOCUMENT in it: name at least one"))
	}
	t.file = others[0]
	report, err := t.inspect()
	if err != nil {
		return c.report(err)
	}
	tested := testReport{File: t.file, SHA256: report.SHA256, Engine: t.engine, Problems: report.Problems, Operations: []operationReport{}}
	if report.OK() {
		documents, workspace, clean, err := t.documents(ctx, others[1:], root)
		if err != nil {
			return c.report(asUsage(err))
		}
		defer clean()
		if err := c.testModule(ctx, t, workspace, documents, &tested); err != nil {
			return c.report(err)
		}
	}
	return c.printTested(tested)
}

// documents are what the module is asked about, and the folder that they are in.
func (t trial) documents(ctx context.Context, files []string, root string) (found []document, workspace string, clean func(), err error) {
	if len(files) > 0 {
		workspace, err = filepath.Abs(root)
		if err != nil {
			return nil, "", nil, err
		}
		config, err := t.config()
		if err != nil {
			return nil, "", nil, err
		}
		found, err = readDocuments(ctx, workspace, files, config)
		return found, workspace, func() {}, err
	}
	workspace, err = os.MkdirTemp("", "navseam-module-test-")
	if err != nil {
		return nil, "", nil, err
	}
	clean = func() { _ = os.RemoveAll(workspace) } // it is in the folder for what may be left over
	if found, err = writeDocuments(workspace); err != nil {
		clean()
	}
	return found, workspace, clean, err
}

// testModule loads the module and asks it everything. Its error is not one of the module.
func (c *console) testModule(ctx context.Context, t trial, workspace string, documents []document, tested *testReport) error {
	var names []string
	for _, d := range documents {
		names = append(names, filepath.Base(d.path))
	}
	config, err := t.config(names...)
	if err != nil {
		return err
	}
	module := config.Modules[t.id()]
	module.Circuit = host.Circuit{Failures: math.MaxInt32, CooldownMs: 1} // one fault must not hide the next
	config.Modules[t.id()] = module
	c.logLines(slog.LevelDebug)
	defer c.closeTrace()
	h, err := c.openHost(ctx, config)
	if err != nil {
		tested.failed(err)
		return seam.ContextError(ctx)
	}
	defer c.closeHost(ctx, h)
	compiled := h.Status().Providers[0].Module
	tested.CompileMs, tested.Cached = milliseconds(compiled.CompileTook), compiled.Cached
	began := time.Now()
	if err := h.Start(ctx, t.id(), workspace); err != nil {
		tested.failed(err)
		return seam.ContextError(ctx)
	}
	tested.LoadMs = milliseconds(time.Since(began))
	for _, op := range seam.Operations() {
		tested.Operations = append(tested.Operations, askEverywhere(ctx, h, op, workspace, documents))
	}
	return seam.ContextError(ctx)
}

// askEverywhere asks one operation everywhere.
func askEverywhere(ctx context.Context, h *host.Host, op seam.Operation, workspace string, documents []document) operationReport {
	report := operationReport{Operation: op.String(), Faults: []trouble{}}
	for _, d := range documents {
		for _, position := range d.positions {
			if ctx.Err() != nil || len(report.Faults) == maxFaults {
				report.Skipped++
				continue
			}
			began := time.Now()
			result, err := h.Query(ctx, seam.Request{Operation: op, FilePath: d.path, Position: position, WorkspaceRoot: workspace})
			report.add(result, err, d.path, position, time.Since(began))
		}
	}
	return report
}
