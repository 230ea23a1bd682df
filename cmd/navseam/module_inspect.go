package main

import (
	"context"

	"github.com/navseam/navseam/host/sandbox"
)

const moduleInspectUsage = `navseam module inspect FILE [--json]

Shows what a provider module is: its kind and hash, the version of the ABI, the operations
that it answers, the grants and imports that it asks for, how much it has of what is limited,
and whether it can be loaded. The file is only read: no code of the module runs.

  --json   print one line of JSON

Exit status: 0 the module is acceptable; 1 it is refused; 2 wrong arguments, or a file that
cannot be read.`

func moduleInspect(_ context.Context, c *console, args []string) int {
	o := newOptions("module inspect")
	o.BoolVar(&c.json, "json", false, "")
	files, err := o.parse(c, args)
	if err == nil && len(files) != 1 {
		err = usagef("give one FILE to inspect, not %d: see \"navseam help module inspect\"", len(files))
	}
	if err != nil {
		return c.report(err)
	}
	data, err := readModule(files[0])
	if err != nil {
		return c.report(err)
	}
	found := inspected(files[0], sandbox.Inspect(data))
	if c.json {
		err = c.printJSON(found)
	} else {
		err = c.print(found.text())
	}
	if err == nil && !found.OK {
		return statusFailed // the report says why
	}
	return c.report(err)
}

// inspection is what inspect prints.
type inspection struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	sandbox.Report
}

// inspected makes lists of nothing empty ones, which programs read more easily.
func inspected(file string, r sandbox.Report) inspection {
	r.Operations = append([]string{}, r.Operations...)
	r.Permissions = append([]string{}, r.Permissions...)
	r.Imports = append([]sandbox.ImportReport{}, r.Imports...)
	r.Budgets = append([]sandbox.Budget{}, r.Budgets...)
	r.Problems = append([]string{}, r.Problems...)
	return inspection{file, r.OK(), r}
}
