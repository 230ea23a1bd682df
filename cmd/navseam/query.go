package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

const queryUsage = `navseam query OPERATION FILE:LINE:COLUMN [flags]
navseam query OPERATION FILE:LINE[:COLUMN] --symbol NAME [flags]

Asks about the symbol at a place. OPERATION is

  goToDefinition      where it is defined
  findReferences      where it is used, its declaration included
  goToImplementation  what implements it
  hover               what is known of it: type, signature, documentation

LINE and COLUMN are counted from 1, COLUMN in UTF-16 units; it points at or into the
symbol. A relative FILE starts at the workspace, or, when there is no such file there, at
the current folder.

  --symbol NAME     find the column: the first NAME on that line, or with a COLUMN the one
                    nearest to it; a.b means b
  -w, --workspace   the folder that the question is about; default: the current folder
  -c, --config      config file; default: $NAVSEAM_CONFIG, then the one in your config folder
  --timeout TIME    how long to wait, such as 90s; default: limits.queryTimeoutMs of the config
  --json            print the answer as one line of JSON, counted from zero
` + traceUsage + `

Exit status: 0 answered, also when there is nothing; 1 failed; 2 wrong arguments or a
configuration that cannot be used.

  navseam query findReferences server/main.go:12:6
  navseam query hover server/main.go:12 --symbol Serve --json`

// question is what the arguments of a query mean.
type question struct {
	operation seam.Operation
	place     tool.Place
	symbol    string
	workspace string
	config    string
	timeout   time.Duration
}

func query(ctx context.Context, c *console, args []string) int {
	q, err := parseQuestion(c, args)
	if err != nil {
		return c.report(err)
	}
	config, _, err := c.loadConfig(q.config)
	if err != nil {
		return c.report(err)
	}
	c.logLines(slog.LevelWarn)
	return c.withHost(ctx, config, func(h *host.Host) int {
		return c.report(c.answer(ctx, h, config, q))
	})
}

func parseQuestion(c *console, args []string) (question, error) {
	var q question
	o := newOptions("query")
	q.flags(c, o)
	o.text(&q.config, "c", "config")
	o.trace(c)
	return q, q.parse(c, o, args)
}

// flags are those that any question has.
func (q *question) flags(c *console, o options) {
	o.BoolVar(&c.json, "json", false, "")
	o.StringVar(&q.symbol, "symbol", "", "")
	o.text(&q.workspace, "w", "workspace")
	o.DurationVar(&q.timeout, "timeout", 0, "")
}

// parse reads the arguments of a command that asks a question.
func (q *question) parse(c *console, o options, args []string) error {
	others, err := o.parse(c, args)
	switch {
	case err != nil:
		return err
	case len(others) != 2:
		return usagef("a query has an OPERATION and a FILE:LINE:COLUMN, not %d arguments: see \"navseam help %s\"", len(others), o.Name())
	case q.timeout < 0:
		return usagef("the timeout %s is negative: give a time such as 90s", q.timeout)
	}
	if q.operation, err = seam.ParseOperation(others[0]); err != nil {
		return asUsage(err)
	}
	if q.place, err = tool.ParsePlace(others[1]); err != nil {
		return asUsage(err)
	}
	if q.place.Column == 0 && q.symbol == "" {
		return usagef("%q has no column: write FILE:LINE:COLUMN, or name the symbol with --symbol", others[1])
	}
	return nil
}

// answer asks and prints what comes back.
func (c *console) answer(ctx context.Context, h *host.Host, config host.Config, q question) error {
	if q.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, q.timeout, &seam.Error{
			Code:      seam.CodeTimeout,
			Message:   fmt.Sprintf("there was no answer within %s: ask again with a longer --timeout", q.timeout),
			Retryable: true,
			Err:       context.DeadlineExceeded,
		})
		defer cancel()
	}
	root, err := filepath.Abs(q.workspace)
	if err != nil {
		return err
	}
	t := tool.New(h, toolConfig(config))
	defer t.Close()
	shown := c.showProgress(h)
	found, err := t.Ask(ctx, root, tool.Question{
		Operation: q.operation,
		File:      inWorkspace(q.place.File, root),
		Line:      q.place.Line,
		Character: q.place.Column,
		Symbol:    q.symbol,
	})
	shown.end()
	switch {
	case err != nil:
		return err
	case c.json:
		return c.printJSON(found.Result)
	}
	answer := t.Show(ctx, found)
	if answer.Failed {
		return answer.Meta.Error
	}
	return c.print(answer.Text)
}

// inWorkspace settles where a relative path starts: at the workspace, as in what queries
// print, but at the current folder when only there is such a file, as shells complete it.
func inWorkspace(file, root string) string {
	if filepath.IsAbs(file) || exists(filepath.Join(root, file)) || !exists(file) {
		return file
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	return absolute
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readSource reads a file as providers would be shown it.
func readSource(ctx context.Context, root, file string, config host.Config) (string, error) {
	files := workspace.NewFiles(1)
	canonical, err := files.Root(ctx, root)
	if err != nil {
		return "", err
	}
	view, err := files.View(ctx, canonical, workspace.ViewOptions{MaxBytes: largestDocument(config), SourceRoots: config.SourceRoots})
	if err != nil {
		return "", err
	}
	defer view.Close()
	source, err := view.Read(ctx, file)
	return source.Text, err
}
