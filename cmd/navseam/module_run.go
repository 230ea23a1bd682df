package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/navseam/navseam/host"
)

const moduleRunUsage = `navseam module run OPERATION FILE:LINE:COLUMN --module FILE [flags]
navseam module run OPERATION FILE:LINE --symbol NAME --module FILE [flags]

Asks a module one question, whatever the name of the document, as a deployment with default
limits would. OPERATION, the place and the answer are those of "navseam query". What the
module logs goes to stderr.

  --module FILE     the module, a .wasm file
` + trialUsage + `
  --symbol NAME     find the column: the first NAME on that line; a.b means b
  -w, --workspace   the folder that the question is about; default: the current folder
  --timeout TIME    how long to wait, such as 90s; the limits of a module count as well
  --json            print the answer as one line of JSON, counted from zero
` + traceUsage + `

` + grantsUsage + `

Exit status: 0 answered, also when there is nothing; 1 failed; 2 wrong arguments, or a module
that cannot be used.

  navseam module run hover schema.graphql:12:6 --module graphql.wasm
  navseam module run findReferences a.ts:3 --symbol total --module scip.wasm \
      --grant files:index=./index --config '{"index": "index/index.scip"}'`

func moduleRun(ctx context.Context, c *console, args []string) int {
	var q question
	var t trial
	o := newOptions("module run")
	q.flags(c, o)
	t.flags(o)
	o.trace(c)
	o.StringVar(&t.file, "module", "", "")
	if err := q.parse(c, o, args); err != nil {
		return c.report(err)
	}
	if t.file == "" {
		return c.report(usagef("no module is named: give its file with --module"))
	}
	if _, err := t.inspect(); err != nil {
		return c.report(err)
	}
	config, err := t.config(filepath.Base(q.place.File))
	if err != nil {
		return c.report(err)
	}
	c.logLines(slog.LevelDebug)
	return c.withHost(ctx, config, func(h *host.Host) int {
		return c.report(c.answer(ctx, h, config, q))
	})
}
