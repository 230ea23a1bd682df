package main

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/navseam/navseam/host/sandbox"
)

const versionUsage = `navseam version

Prints the version of navseam, the commit that it was built from where that is known, the
version of Go, the platform, and the engines that run modules.`

func version(_ context.Context, c *console, args []string) int {
	o := newOptions("version")
	if err := o.none(o.parse(c, args)); err != nil {
		return c.report(err)
	}
	return c.report(c.print(versionText(buildInfo(), sandbox.Engines())))
}

func buildInfo() *debug.BuildInfo {
	info, known := debug.ReadBuildInfo()
	if !known {
		return &debug.BuildInfo{}
	}
	return info
}

// versionNumber is never empty.
func versionNumber(info *debug.BuildInfo) string {
	return cmp.Or(info.Main.Version, "(unknown version)")
}

func versionText(info *debug.BuildInfo, engines []string) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	lines := []string{"navseam " + versionNumber(info)}
	if revision := settings["vcs.revision"]; revision != "" {
		commit := strings.TrimSpace("commit " + revision + " " + settings["vcs.time"])
		if settings["vcs.modified"] == "true" {
			commit += ", with local changes"
		}
		lines = append(lines, commit)
	}
	lines = append(lines, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	lines = append(lines, "engines: "+strings.Join(engines, ", "))
	return strings.Join(lines, "\n")
}
