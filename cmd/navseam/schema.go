package main

import (
	"context"
	"strings"

	"github.com/navseam/navseam/host"
)

const schemaUsage = `navseam schema

Prints the JSON Schema of the config file. An editor with YAML support checks and completes
a config file that begins with

  # yaml-language-server: $schema=PATH

when the schema was saved under that path.`

func schema(_ context.Context, c *console, args []string) int {
	o := newOptions("schema")
	if err := o.none(o.parse(c, args)); err != nil {
		return c.report(err)
	}
	return c.report(c.print(strings.TrimSuffix(string(host.Schema()), "\n")))
}
